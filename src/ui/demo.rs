//! Throw-away: plays the chapter's script behind the real stage, with placeholders all around, so
//! that the page can be looked at. The fragment says what: `#fact=120&share=0.5`, `#queue=channel`,
//! `#fail=1`, `#workers=3`, `#restart=4250`, `#kill=1500`, `#play`.

use super::motion::{FrameLoop, prefers_still};
use super::stage::{Names, Painter, Stage};
use crate::engine::cluster::Cluster;
use crate::engine::knobs::{Knobs, Preset, QueueKind};
use crate::engine::record::Record;
use crate::engine::stimulus::{Actor, Stimulus};
use crate::engine::time::SimTime;
use crate::frame::{Picture, View, transit};
use crate::scene::{CONTROL_LOOP, PRODUCTION};
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

struct Film {
    records: Vec<Record>,
    views: Vec<Rc<View>>,
    names: Names,
    knobs: Rc<Knobs>,
}

impl Film {
    fn new(option: &dyn Fn(&str) -> Option<String>) -> Film {
        let number = |name: &str| option(name).and_then(|text| text.parse::<i64>().ok());
        let mut knobs = Preset::ClientGo.knobs();
        if option("queue").as_deref() == Some("channel") {
            knobs.queue = QueueKind::Channel;
        }
        knobs.failing_upgrades = Some(number("fail").map(|n| n as u32).into_iter().collect());
        if let Some(workers) = number("workers") {
            knobs.workers = workers as u8;
        }
        let knobs = Rc::new(knobs);
        let mut cluster = Cluster::new(knobs.clone(), 1);
        for (due, stimulus) in CONTROL_LOOP.script(&knobs) {
            cluster.inject(due, Actor::Script, stimulus);
        }
        let mut add = |name: &str, stimulus: Stimulus| {
            if let Some(millis) = number(name) {
                cluster.inject(SimTime::from_millis(millis), Actor::Visitor, stimulus);
            }
        };
        add("restart", Stimulus::RestartController);
        add(
            "kill",
            Stimulus::KillReplica {
                key: PRODUCTION.into(),
            },
        );
        let mut records = Vec::new();
        cluster.advance_to(SimTime::from_millis(14_000), &mut records);
        let mut view = View::new(knobs.workers);
        let mut views = vec![Rc::new(view.clone())];
        for record in &records {
            view.apply(record);
            views.push(Rc::new(view.clone()));
        }
        let names = Names(Rc::new(cluster.keys().clone()));
        Film {
            records,
            views,
            names,
            knobs,
        }
    }

    fn picture(&self, applied: usize) -> Rc<Picture> {
        Rc::new(match applied {
            0 => Picture::empty(self.views[0].clone()),
            n => Picture::new(
                &self.records[n - 1],
                self.views[n - 1].clone(),
                self.views[n].clone(),
            ),
        })
    }
}

#[derive(Default)]
struct Head {
    applied: usize,
    /// Wall milliseconds since the latest fact.
    wall: f64,
    playing: bool,
}

impl Head {
    /// Moves on, and says where that is: simulated time and share.
    fn advance(&mut self, film: &Film, wall: f64) -> (f64, f64) {
        self.wall += wall;
        loop {
            let n = self.applied;
            let at = |n: usize| film.records.get(n).map(|record| record.at.0 as f64);
            let now = n.checked_sub(1).and_then(at).unwrap_or(0.0);
            let moves = n > 0
                && transit(&film.records[n - 1], &film.views[n - 1], &film.views[n]).is_some();
            let dwell = if moves { 620.0 } else { 260.0 };
            let Some(next) = at(n) else {
                return (now, (self.wall / dwell).min(1.0));
            };
            let millis = (next - now) / 1e6;
            let gap = if millis <= 0.0 {
                0.0
            } else {
                (300.0 + millis * 4.0).min(1600.0)
            };
            if self.wall < dwell {
                return (now, self.wall / dwell);
            }
            if self.wall < dwell + gap {
                return (now + (next - now) * (self.wall - dwell) / gap, 1.0);
            }
            self.wall -= dwell + gap;
            self.applied += 1;
        }
    }
}

#[component]
pub fn App() -> Html {
    let painter = use_memo((), |()| Painter::default());
    let film = use_memo((), |()| Film::new(&option));
    let redraw = use_force_update();
    let head = use_memo((), |()| RefCell::new(Head::default()));
    {
        let (film, head, painter) = (film.clone(), head.clone(), painter.clone());
        use_effect_with((), move |()| {
            painter.set_still(prefers_still());
            let number = |name: &str| option(name).and_then(|text| text.parse::<f64>().ok());
            let fact = number("fact").unwrap_or(0.0) as usize;
            {
                let mut head = head.borrow_mut();
                head.applied = fact.min(film.records.len());
                head.playing = option("fact").is_none() || option("play").is_some();
            }
            let share = number("share").unwrap_or(1.0);
            let late = number("late").unwrap_or(0.0);
            let frames = FrameLoop::new(move |wall| {
                let mut head = head.borrow_mut();
                let before = head.applied;
                if head.playing {
                    let (time, share) = head.advance(&film, wall);
                    painter.paint(time, share);
                } else {
                    let at = fact
                        .checked_sub(1)
                        .map_or(0.0, |n| film.records[n].at.0 as f64);
                    painter.paint(at + late * 1e6, share);
                }
                if head.applied != before || !head.playing {
                    redraw.force_update();
                }
                head.playing
            });
            frames.wake();
            move || drop(frames)
        });
    }
    let applied = head.borrow().applied;
    html! {
        <Page log={log(&film, applied)} clock={clock(&film, applied)}>
            <Stage picture={film.picture(applied)} names={film.names.clone()} knobs={film.knobs.clone()}
                painter={(*painter).clone()} />
        </Page>
    }
}

fn clock(film: &Film, applied: usize) -> String {
    let at = applied
        .checked_sub(1)
        .map_or(0.0, |n| film.records[n].at.as_secs_f64());
    format!("{at:.3} s")
}

fn log(film: &Film, applied: usize) -> Vec<(String, String)> {
    let lines = film.records[..applied].iter().enumerate();
    let mut lines: Vec<_> = lines
        .filter_map(|(n, record)| {
            let line = record.log_line(&film.names.0, film.records.get(n + 1))?;
            Some((format!("{:.3}", record.at.as_secs_f64()), line))
        })
        .collect();
    lines.drain(..lines.len().saturating_sub(6));
    lines
}

fn option(name: &str) -> Option<String> {
    let hash = web_sys::window()?.location().hash().ok()?;
    let part = |part: &str| match part.split_once('=') {
        Some((key, value)) if key == name => Some(value.to_owned()),
        None if part == name => Some(String::new()),
        _ => None,
    };
    hash.trim_start_matches('#').split('&').find_map(part)
}

#[derive(PartialEq, Properties)]
struct PageProps {
    log: Vec<(String, String)>,
    clock: String,
    children: Html,
}

#[component]
fn Page(props: &PageProps) -> Html {
    let button = |text: &'static str| html! { <button type="button">{ text }</button> };
    html! {
        <div class="app">
            <header class="top">
                <a class="logo" href="./"><svg viewBox="0 0 22 22" aria-hidden="true"><path d="M18.6 7.5A8.4 8.4 0 1 0 19.4 11"/><path d="m19.6 3.4-.7 4.4-4.3-.9"/></svg>{ "Loopscope" }</a>
                <nav aria-label="Scenes"><ol class="scenes">
                    { for CONTROL_LOOP.scenes.iter().enumerate().map(|(n, scene)| html! {
                        <li><button type="button" aria-current={(n == 3).then_some("step")}><b>{ n + 1 }</b><span>{ scene.tab }</span></button></li>
                    }) }
                </ol></nav>
                <div class="tools">
                    <div class="seg" role="group" aria-label="Queue">
                        <button type="button" aria-pressed="false">{ "Plain channel" }</button>
                        <button type="button" aria-pressed="true">{ "client-go queue" }</button>
                    </div>
                    <button type="button" class="quiet">{ "Share" }</button>
                    <button type="button" class="quiet icon-only" aria-label="Theme"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z"/><path class="solid" d="M8 1.5v13a6.5 6.5 0 0 0 0-13Z"/></svg></button>
                </div>
            </header>
            <section class="tale" aria-label="Story">
                <div class="title"><p class="kicker">{ "Scene 4 of 6" }</p><h1>{ "Ten writes in 200 ms" }</h1></div>
                <div class="cmd"><code><span class="prompt">{ "$ " }</span>{ "helm upgrade production ./postgres" }</code><span class="note">{ "# touches the object 10 times, 20 ms apart" }</span></div>
                <ol class="beats">
                    <li class="past">{ "A tool touches one object again and again: 10 writes, 20 ms apart. Each is a revision and sends an event. Observing takes 100 ms." }</li>
                    <li class="past">{ "The first event queued the key, and the worker took it at once. It is observing now. Meanwhile the writes go on." }</li>
                    <li class="now" data-testid="caption" aria-current="step">{ "The next event finds its key in the worker’s hand. The queue adds no entry. It marks the key dirty: it comes back after Done." }</li>
                    <li class="next">{ "Another event, and the mark is set already. Nothing changes: the event dissolves." }</li>
                    <li class="next">{ "The worker says Done. The key is dirty, so it goes back into the queue: once." }</li>
                </ol>
                <div class="nav"><button type="button">{ "Back" }</button><button type="button" class="go">{ "Next step" }</button></div>
            </section>
            <main class="stage">
                { props.children.clone() }
                <div class="acts" role="toolbar" aria-label="Act on the cluster">
                    <div class="group">
                        <label class="pick-one"><span class="visually-hidden">{ "Resource" }</span><select><option>{ "production-postgres" }</option><option>{ "staging-postgres" }</option></select></label>
                        { for ["Create", "Scale up", "Scale down", "Upgrade"].map(button) }
                        <button type="button" class="hot">{ "Burst ×10" }</button>
                        { button("Delete") }
                    </div>
                    <div class="group">{ for ["Kill a replica", "Restart controller", "Fail next upgrade"].map(button) }</div>
                </div>
                <div class="time">
                    <div class="bar">
                        <button type="button" class="play" aria-label="Play"><svg viewBox="0 0 14 14" aria-hidden="true"><path d="M3 1.2 12.5 7 3 12.8z"/></svg></button>
                        <button type="button" class="step" aria-label="Step back"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M10.5 3.5 5.5 8l5 4.5"/></svg></button>
                        <button type="button" class="step" aria-label="Step forward"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M5.5 3.5 10.5 8l-5 4.5"/></svg></button>
                        <span class="clock" data-testid="clock">{ &props.clock }</span>
                        <label class="speed"><span class="visually-hidden">{ "Speed" }</span><select><option>{ "1×" }</option></select></label>
                        <span class="pace">{ "slowed to be seen" }</span>
                        <dl class="counts">
                            { for [("events", 11), ("merged", 5), ("reconciles", 8), ("retries", 0)].map(|(name, n)| html! {
                                <div><dt>{ name }</dt><dd>{ n }</dd></div>
                            }) }
                        </dl>
                    </div>
                    <div class="strip"></div>
                </div>
                <section class="dock" aria-label="Details">
                    <div class="tabs" role="tablist">
                        { for ["Log", "Code", "Objects", "Knobs", "Metrics"].iter().enumerate().map(|(n, tab)| html! {
                            <button type="button" role="tab" aria-selected={if n == 0 { "true" } else { "false" }}>{ *tab }</button>
                        }) }
                    </div>
                    <ol class="log" role="log" data-testid="log" tabindex="0">
                        { for props.log.iter().map(|(at, line)| {
                            let (source, rest) = line.split_once(']').unwrap_or(("", line));
                            let class = match source.trim_start_matches('[').split(' ').next() {
                                Some("etcd") => "from-store",
                                Some("watch") => "from-watch",
                                Some("queue") => "from-queue",
                                Some("reconcile") => "from-recon",
                                _ => "from-loop",
                            };
                            html! { <li class={class}><time>{ at }</time><b>{ format!("{source}]") }</b>{ rest.to_owned() }</li> }
                        }) }
                    </ol>
                </section>
            </main>
        </div>
    }
}
