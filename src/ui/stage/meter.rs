//! What simulated time moves in its place: the running section's bar, countdowns, a rolling upgrade.

use super::dom::{set, style_of};
use crate::engine::key::Key;
use crate::engine::time::SimTime;
use crate::frame::View;
use crate::layout::{Tenths, Thousandths};
use crate::ui::browser;
use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, Element};

/// Something small that simulated time moves in its place.
pub struct Meter {
    what: What,
    from: SimTime,
    until: SimTime,
    last: i64,
}

enum What {
    Bar(CssStyleDeclaration),
    Ring(Element),
    Left(Element),
    /// Bears the class `over` from the end on.
    Over(Element),
    Upgrade(Vec<Element>),
}

impl Meter {
    /// Show the instant `time`, at `share` of the latest fact's dwell.
    pub fn paint(&mut self, time: f64, share: f64) {
        let whole = (self.until - self.from).0 as f64;
        let gone = if whole > 0.0 {
            ((time - self.from.0 as f64) / whole).clamp(0.0, 1.0)
        } else {
            share.clamp(0.0, 1.0)
        };
        // Written again only when it would look different.
        let step = match &self.what {
            What::Bar(_) | What::Ring(_) => (gone * 500.0).round() as i64,
            What::Left(_) => {
                let left = (self.until.0 as f64 - time).max(0.0) / 1e6;
                // No finer than can be read, no coarser than the whole wait allows.
                let grain = match (left, whole / 1e6) {
                    (1000.0.., _) => 100,
                    (_, 100.0..) => 20,
                    _ => 1,
                };
                (left / grain as f64).ceil() as i64 * grain
            }
            What::Over(_) => i64::from(time >= self.until.0 as f64),
            What::Upgrade(pods) => (gone * (pods.len() as f64 + 0.5)) as i64,
        };
        if step == self.last {
            return;
        }
        self.last = step;
        match &self.what {
            What::Bar(style) => set(
                style,
                "transform",
                &format!("scaleX({})", Thousandths(gone)),
            ),
            What::Ring(ring) => {
                let _ = ring.set_attribute("stroke-dashoffset", &Tenths(gone * 100.0).to_string());
            }
            What::Left(text) => {
                let shown = if step >= 1000 {
                    format!("{} s", Tenths(step as f64 / 1000.0))
                } else {
                    format!("{step} ms")
                };
                browser::write(text, &shown);
            }
            What::Over(sign) => {
                let _ = sign.class_list().toggle_with_force("over", step > 0);
            }
            What::Upgrade(pods) => {
                for (n, pod) in pods.iter().enumerate() {
                    let changed = (n as i64) < step;
                    let _ = pod.class_list().toggle_with_force("new", changed);
                }
            }
        }
    }
}

/// The meters that `view` has on the stage.
pub fn meters(root: &Element, view: &View) -> Vec<Meter> {
    let mut meters = Vec::new();
    let mut add = |what: Option<What>, from, until| {
        if let Some(what) = what {
            let last = i64::MIN;
            meters.push(Meter {
                what,
                from,
                until,
                last,
            });
        }
    };
    let find = |selector: String| root.query_selector(&selector).ok().flatten();
    for (n, hand) in view.hands.iter().enumerate() {
        if let Some(hand) = hand {
            let bar = style_of(root, &format!("[data-bar=\"{n}\"]")).map(What::Bar);
            add(bar, hand.since, hand.until);
        }
    }
    for (n, delay) in view.delayed.iter().enumerate() {
        let ring = find(format!("[data-ring=\"{n}\"]"));
        if ring.is_none() {
            break;
        }
        add(ring.map(What::Ring), delay.from, delay.until);
        let left = find(format!("[data-left=\"{n}\"]"));
        add(left.map(What::Left), delay.from, delay.until);
    }
    for waiting in all(root, "[data-until]") {
        let instant = |name: &str| {
            let nanos = waiting.get_attribute(name)?.parse().ok()?;
            Some(SimTime(nanos))
        };
        let (Some(from), Some(until)) = (instant("data-from"), instant("data-until")) else {
            continue;
        };
        let what = match waiting.get_attribute("data-wait").as_deref() {
            Some("ring") => What::Ring(waiting),
            Some("left") => What::Left(waiting),
            _ => What::Over(waiting),
        };
        add(Some(what), from, until);
    }
    for (key, pods) in &view.actual {
        if let Some((_, from, until)) = pods.upgrading {
            add(Some(What::Upgrade(boxes(root, *key))), from, until);
        }
    }
    meters
}

fn boxes(root: &Element, key: Key) -> Vec<Element> {
    all(root, &format!("[data-upgrade=\"{}\"] .pod.old", key.0))
}

fn all(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(found) = root.query_selector_all(selector) else {
        return Vec::new();
    };
    (0..found.length())
        .filter_map(|n| found.get(n)?.dyn_into().ok())
        .collect()
}
