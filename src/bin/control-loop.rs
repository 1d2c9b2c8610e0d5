//! quick
use loopscope::engine::*;
use loopscope::scene::CONTROL_LOOP;
use std::rc::Rc;
fn main() {
    for preset in Preset::ALL {
        let mut knobs = preset.knobs();
        knobs.failing_upgrades = Some(vec![]);
        let mut c = Cluster::new(Rc::new(knobs.clone()), 1);
        for (t, s) in CONTROL_LOOP.script(&knobs) {
            c.inject(t, Actor::Script, s);
        }
        let mut r = vec![];
        c.advance_to(SimTime::from_millis(20000), &mut r);
        for (i, x) in r.iter().enumerate() {
            if std::env::args().len() > 1 {
                println!("{}", x.to_json(c.keys()));
            } else if let Some(l) = x.log_line(c.keys(), r.get(i + 1)) {
                println!("{:8.3} {l}", x.at.as_secs_f64());
            }
        }
        println!("{} {}", c.controller().reconciles, c.store().revision());
    }
}
