//! Writes what moves: tokens, the running section's bar, countdowns, a rolling upgrade.
//!
//! Once per re-render or resize it finds the elements and measures the boxes. In a frame it only
//! writes: `transform` and `opacity`, a text where its digits have changed, a class where a pod has
//! changed its version. It never reads the layout in a frame.

use super::actor::{Actor, at_rest, spread};
use super::brush::Brush;
use super::dom::{locate, locate_name, style_of};
use super::dot::{drawn, word};
use super::meter::{Meter, meters};
use crate::frame::{Ending, Picture, Place, Token, Travel};
use crate::layout::{Form, LANDED, Point, Pose, ROAD, Rect, Route, pose, route};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};
use yew::Callback;

/// The handle of one stage's painter. Clones are the same painter.
#[derive(Clone, Default)]
pub struct Painter(Rc<RefCell<Inner>>);

impl PartialEq for Painter {
    fn eq(&self, other: &Painter) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Default)]
struct Inner {
    time: f64,
    share: f64,
    still: bool,
    stage: Option<Attached>,
    observer: Option<(ResizeObserver, Closure<dyn FnMut()>)>,
}

/// A stage as it was rendered last.
struct Attached {
    root: Element,
    picture: Rc<Picture>,
    landed: bool,
    redraw: Callback<()>,
    actors: Vec<Actor>,
    halo: Option<Brush>,
    word: Option<Brush>,
    meters: Vec<Meter>,
    form: Form,
}

impl Painter {
    /// Has the latest fact's token landed? Then the stage shows the picture after the fact.
    pub fn landed(&self) -> bool {
        let inner = self.0.borrow();
        inner.still || inner.share >= LANDED
    }

    /// No travelling (`prefers-reduced-motion`): before and after, with the path drawn.
    pub fn set_still(&self, still: bool) {
        self.0.borrow_mut().still = still;
    }

    /// Show the instant `time` (simulated nanoseconds), at `share` (0–1) of the latest fact's dwell.
    pub fn paint(&self, time: f64, share: f64) {
        {
            let mut inner = self.0.borrow_mut();
            inner.time = time;
            inner.share = share;
            inner.paint();
        }
        let landed = self.landed();
        let inner = self.0.borrow();
        if let Some(stage) = &inner.stage
            && stage.landed != landed
        {
            stage.redraw.emit(());
        }
    }

    /// Take over a stage that was just rendered.
    pub fn attach(&self, root: &Element, picture: Rc<Picture>, landed: bool, redraw: Callback<()>) {
        let mut inner = self.0.borrow_mut();
        if inner.observer.is_none() {
            let painter = Rc::downgrade(&self.0);
            let resized = Closure::<dyn FnMut()>::new(move || {
                if let Some(painter) = painter.upgrade()
                    && let Ok(mut inner) = painter.try_borrow_mut()
                {
                    inner.measure();
                    inner.paint();
                }
            });
            if let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) {
                observer.observe(root);
                inner.observer = Some((observer, resized));
            }
        }
        inner.stage = Some(Attached::new(root, picture, landed, redraw));
        inner.measure();
        inner.paint();
    }

    /// Let go of the stage.
    pub fn detach(&self) {
        let mut inner = self.0.borrow_mut();
        inner.stage = None;
        if let Some((observer, _)) = inner.observer.take() {
            observer.disconnect();
        }
    }
}

impl Inner {
    fn measure(&mut self) {
        if let Some(stage) = &mut self.stage {
            stage.measure();
        }
    }

    fn paint(&mut self) {
        let (time, share, still) = (self.time, self.share, self.still);
        if let Some(stage) = &mut self.stage {
            stage.paint(time, share, still);
        }
    }
}

impl Attached {
    fn new(root: &Element, picture: Rc<Picture>, landed: bool, redraw: Callback<()>) -> Attached {
        // Yew has made one element for each token, in the same order.
        let elements = root.query_selector_all(".token").ok();
        let element = |nth| elements.as_ref()?.item(nth)?.dyn_into::<HtmlElement>().ok();
        let actors = (0..)
            .zip(drawn(&picture))
            .filter_map(|(nth, token)| {
                Some(Actor {
                    token: *token,
                    brush: Brush::new(element(nth)?.style()),
                    route: None,
                })
            })
            .collect();
        Attached {
            meters: meters(root, picture.shown(landed)),
            root: root.clone(),
            picture,
            landed,
            redraw,
            actors,
            halo: style_of(root, ".halo").map(Brush::new),
            word: style_of(root, ".word").map(Brush::new),
            form: Form::Wide,
        }
    }

    /// Read where the boxes are, and lay the paths.
    fn measure(&mut self) {
        let stage = self.root.get_bounding_client_rect();
        let form = Form::of(stage.width());
        self.form = form;
        let root = &self.root;
        let mut known: Vec<(Place, Option<Rect>)> = Vec::new();
        let mut find = |place: Place| match known.iter().find(|(seen, _)| *seen == place) {
            Some(&(_, rect)) => rect,
            None => {
                let rect = locate(root, &stage, place);
                known.push((place, rect));
                rect
            }
        };
        if let (Some(from), Some(to)) = (find(Place::WatchIn), find(Place::WatchOut))
            && let Ok(Some(wire)) = root.query_selector(".wire")
        {
            let flight = crate::layout::wire(from, to);
            let _ = wire.set_attribute("d", &flight.path_data());
        }
        let road = locate_name(root, &stage, ROAD);
        for actor in &mut self.actors {
            let token = &actor.token;
            actor.route = match (find(token.from), find(token.to)) {
                (Some(from), Some(to)) => Some(route(token, from, to, road, form)),
                _ => None,
            };
            let Some(route) = &actor.route else { continue };
            if token.from == Place::WatchIn {
                continue; // it takes the wire
            }
            let selector = format!("[data-way=\"{}\"]", token.record);
            if let Ok(Some(way)) = root.query_selector(&selector) {
                let _ = way.set_attribute("d", &route.line.path_data());
            }
        }
        self.dress_halo();
    }

    /// Bring the outline and the word to the goal of the moving token.
    fn dress_halo(&mut self) {
        let moving = self.moving();
        let target = moving
            .and_then(|actor| actor.route)
            .map(|route| route.target);
        let text = moving.map_or("", |actor| word(&actor.token));
        let marked = moving.is_some_and(|actor| {
            actor.token.from != actor.token.to && actor.token.ending != Ending::Lost
        });
        let (Some(halo), Some(word)) = (&mut self.halo, &mut self.word) else {
            return;
        };
        if let Ok(Some(element)) = self.root.query_selector(".word") {
            let _ = element.set_attribute("data-text", text);
        }
        halo.show(marked && target.is_some());
        word.show(!text.is_empty() && target.is_some());
        if let Some(target) = target {
            halo.size(target.width + 6.0, target.height + 6.0);
            halo.put(target.x - 3.0, target.y - 3.0, 1.0);
        }
    }

    fn moving(&self) -> Option<&Actor> {
        let moving = self.picture.moving()?.record;
        self.actors
            .iter()
            .find(|actor| actor.token.record == moving && actor.token.travel == Travel::Dwell)
    }

    fn paint(&mut self, time: f64, share: f64, still: bool) {
        let flying = self
            .actors
            .iter()
            .filter(|actor| actor.token.travel != Travel::Dwell)
            .count();
        let (mut nth, mut ahead) = (0, None);
        let mut goal = None;
        for actor in &mut self.actors {
            let Some(Route { line, target }) = actor.route else {
                actor.brush.fade(0.0);
                continue;
            };
            let moves = actor.token.travel == Travel::Dwell;
            let pose = if !still {
                pose(&actor.token, &line, actor.token.progress(time, share))
            } else if moves {
                at_rest(&actor.token, &line)
            } else {
                // Spread along the wire, the oldest furthest.
                nth += 1;
                spread(&line, 1.0 - nth as f64 / (flying + 1) as f64)
            };
            // What left at the same instant lies under the one ahead of it.
            let place = (pose.x.round() as i32, pose.y.round() as i32);
            if !moves && ahead.replace(place) == Some(place) {
                actor.brush.fade(0.0);
                continue;
            }
            actor.take(&pose);
            if moves {
                goal = Some((actor.token, target, pose));
            }
        }
        if let Some((token, target, pose)) = &goal {
            self.mark_goal(token, target, pose);
        }
        for meter in &mut self.meters {
            meter.paint(time, share);
        }
    }

    fn mark_goal(&mut self, token: &Token, target: &Rect, pose: &Pose) {
        if let Some(halo) = &mut self.halo
            && halo.is_shown()
        {
            halo.fade(pose.halo);
        }
        if let Some(word) = &mut self.word
            && word.is_shown()
        {
            let at = match token.ending {
                Ending::Lost => Point::new(pose.x, pose.y),
                _ if self.form == Form::Compact => Point::new(target.right(), target.y - 2.0),
                _ => Point::new(target.x - 7.0, target.center().y),
            };
            let nearer = 8.0 * (1.0 - pose.word);
            word.put(at.x - nearer, at.y, 1.0);
            word.fade((pose.word * 4.0).min(1.0));
        }
    }
}
