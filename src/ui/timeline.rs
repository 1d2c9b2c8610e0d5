//! The timeline: the run as bars on tracks, the beats as marks, the visitor's acts as flags.
//!
//! Its axis is story time, so that what happens in 5 ms can be seen and pointed at; in true time
//! the axis is proportional. Only the cursor moves between two facts; the loop writes it.

use crate::engine::fixed::{between, fixed, short};
use crate::engine::paged::PagedList;
use crate::frame::{Bar, Life, Look, Track};
use crate::scene::{Chapter, Skin, Station};
use crate::session::{Session, Tempo};
use crate::ui::el::{classes, el_of};
use std::rc::Rc;
use web_sys::{Element, PointerEvent, WheelEvent};
use yew::prelude::*;
use yew::virtual_dom::{VList, VNode};

/// Units across the picture.
pub const WIDTH: f64 = 1000.0;
const ROW: f64 = 16.0;
const TOP: f64 = 10.0;
const HEIGHT: f64 = TOP + 4.0 * ROW + 2.0;
/// Narrowest bar that can be seen.
const THIN: f64 = 2.0;
/// Shortest stretch that can be zoomed to, in story milliseconds.
const ZOOM_MIN: f64 = 400.0;

/// What the timeline draws, in story time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    bars: PagedList<Bar>,
    /// Where they are. Both are clones that share what is old with the run's own.
    tempo: Tempo,
    beats: Vec<f64>,
    flags: Vec<f64>,
    pub scene: (f64, f64),
    pub end: f64,
}

impl Plot {
    /// The plot of the session's run.
    pub fn new(session: &Session) -> Plot {
        let (run, tempo) = (session.run(), session.tempo());
        let bars = run.timeline();
        let told = session
            .steps()
            .iter()
            .filter(|step| step.telling == session.telling());
        let (begin, end) = session.scene_bounds();
        let end = end.map_or(tempo.end(), |end| tempo.story_at(end.0 as f64));
        Plot {
            bars: bars.bars.clone(),
            tempo: tempo.clone(),
            beats: told.filter_map(|step| session.place(step.stop)).collect(),
            flags: bars.flags.iter().map(|&flag| tempo.before(flag)).collect(),
            scene: (tempo.story_at(begin.0 as f64), end),
            end: tempo.end(),
        }
    }
}

/// The tracks' names: those of the chapter's lanes, in the words of a skin.
pub fn tracks(chapter: &Chapter, skin: &Skin) -> [&'static str; Track::ALL.len()] {
    Track::ALL.map(|track| {
        let lane = match track {
            Track::Store => Station::Store,
            Track::Watch => Station::Informer,
            Track::Queue => Station::Queue,
            Track::Reconcile => Station::Reconcile,
        };
        let words = (!chapter.skins.is_empty())
            .then(|| skin.lane(lane))
            .flatten();
        words.map_or(track.name(), |words| words.title)
    })
}

/// The stretch of story time that is in sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    pub from: f64,
    pub to: f64,
}

impl Window {
    /// Where `story` is across the picture.
    pub fn x(self, story: f64) -> f64 {
        let span = (self.to - self.from).max(1.0);
        ((story - self.from) / span * WIDTH).clamp(-WIDTH, 2.0 * WIDTH)
    }

    fn zoomed(self, around: f64, factor: f64, end: f64) -> Window {
        let span = between((self.to - self.from) * factor, ZOOM_MIN, end.max(ZOOM_MIN));
        let share = (around - self.from) / (self.to - self.from).max(1.0);
        let from = between(around - span * share, 0.0, (end - span).max(0.0));
        Window {
            from,
            to: from + span,
        }
    }
}

#[derive(PartialEq, Properties)]
pub struct TimelineProps {
    pub plot: Rc<Plot>,
    /// Of the tracks, in their order.
    pub names: [&'static str; Track::ALL.len()],
    pub window: Window,
    /// What is followed: the other bars step back.
    pub life: Option<Rc<Life>>,
    pub story: f64,
    /// What the clock says, for screen readers.
    pub clock: String,
    /// Moved by the loop.
    pub cursor: NodeRef,
    pub on_seek: Callback<f64>,
    pub on_window: Callback<Option<Window>>,
}

#[component]
pub fn Timeline(props: &TimelineProps) -> Html {
    let dragging = use_mut_ref(|| false);
    let window = props.window;
    // Not the event's current target: Yew listens at the body.
    let strip = use_node_ref();
    let story_under = {
        let strip = strip.clone();
        move |event: &web_sys::MouseEvent| {
            let rect = strip.cast::<Element>()?.get_bounding_client_rect();
            let share = (f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0);
            Some(window.from + share.clamp(0.0, 1.0) * (window.to - window.from))
        }
    };
    let seek = {
        let (on_seek, story_under) = (props.on_seek.clone(), story_under.clone());
        move |event: &PointerEvent| {
            if let Some(story) = story_under(event) {
                on_seek.emit(story);
            }
        }
    };
    let onpointerdown = {
        let (dragging, seek, strip) = (dragging.clone(), seek.clone(), strip.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() != 0 {
                return;
            }
            *dragging.borrow_mut() = true;
            if let Some(strip) = strip.cast::<Element>() {
                // Without capture a drag ends at the edge; nothing worse.
                let _ = strip.set_pointer_capture(event.pointer_id());
            }
            seek(&event);
        })
    };
    let onpointermove = {
        let dragging = dragging.clone();
        Callback::from(move |event: PointerEvent| {
            if *dragging.borrow() {
                seek(&event);
            }
        })
    };
    let release = Callback::from(move |_: PointerEvent| *dragging.borrow_mut() = false);
    let onwheel = {
        let (on_window, end) = (props.on_window.clone(), props.plot.end);
        Callback::from(move |event: WheelEvent| {
            let Some(around) = story_under(&event) else {
                return;
            };
            event.prevent_default();
            let factor = if event.delta_y() > 0.0 { 1.25 } else { 0.8 };
            on_window.emit(Some(window.zoomed(around, factor, end)));
        })
    };
    let zoom = |factor: f64| {
        let (story, end) = (props.story, props.plot.end);
        props
            .on_window
            .reform(move |_: MouseEvent| Some(window.zoomed(story, factor, end)))
    };
    let whole = Window {
        from: 0.0,
        to: props.plot.end,
    };
    html! {
        <div class="strip">
            <div class="tracks" aria-hidden="true">
                { for Track::ALL.iter().zip(props.names).map(|(track, name)| html! { <span class={class(*track)}>{ name }</span> }) }
            </div>
            <div
                class="canvas"
                ref={strip}
                role="slider"
                tabindex="0"
                aria-label="Timeline"
                aria-valuemin="0"
                aria-valuemax={fixed(props.plot.end, 0).to_string()}
                aria-valuenow={fixed(props.story, 0).to_string()}
                aria-valuetext={props.clock.clone()}
                title="Click or drag to go there; wheel to zoom"
                {onpointerdown}
                {onpointermove}
                onpointerup={release.clone()}
                onpointercancel={release}
                {onwheel}
            >
                <svg viewBox={format!("0 0 {} {}", short(WIDTH, 1), short(HEIGHT, 1))} preserveAspectRatio="none" aria-hidden="true">
                    <Marks plot={props.plot.clone()} {window} life={props.life.clone()} />
                </svg>
                // Three canvases wide, and moved by a share of its width: a style, and no new layout.
                <div class="cursor" ref={props.cursor.clone()}></div>
            </div>
            <div class="zoom">
                <button type="button" class="quiet" aria-label="Zoom in" title="Zoom in (wheel)" onclick={zoom(0.6)}>{ "+" }</button>
                <button type="button" class="quiet" aria-label="Zoom out" title="Zoom out (wheel)" onclick={zoom(1.6)}>{ "−" }</button>
                <button type="button" class="quiet" title="Show this scene" onclick={props.on_window.reform(|_: MouseEvent| None)}>{ "Scene" }</button>
                <button type="button" class="quiet" title="Show the whole run" onclick={props.on_window.reform(move |_: MouseEvent| Some(whole))}>{ "All" }</button>
            </div>
        </div>
    }
}

#[derive(PartialEq, Properties)]
struct MarksProps {
    plot: Rc<Plot>,
    window: Window,
    life: Option<Rc<Life>>,
}

/// All that stands still: drawn anew only when the run or the stretch in sight changes.
#[component]
fn Marks(props: &MarksProps) -> Html {
    let window = props.window;
    let bars = forms(props).into_iter().map(|form| {
        let class = classes(&[class(form.track), kind(form.look), form.lit]);
        el_of("path", class).attr("d", form.path).into()
    });
    let signs = |places: &[f64], sign: &dyn Fn(String) -> String| -> String {
        let seen = places
            .iter()
            .filter(|&place| (window.from..=window.to).contains(place));
        seen.map(|&place| sign(fixed(window.x(place), 1).to_string()))
            .collect()
    };
    let beats = signs(&props.plot.beats, &|x| format!("M{x} 8l-3.5 -6h7z"));
    let height = short(HEIGHT, 1);
    let flags = signs(&props.plot.flags, &|x| {
        format!("M{x} {height}V1h9l-3 3.5 3 3.5h-9")
    });
    html! {
        <g>
            { for Track::ALL.iter().map(|track| {
                let y = short(TOP + ROW * row(*track) + ROW / 2.0, 1);
                html! { <path class="rail" d={format!("M0 {y}H{}", short(WIDTH, 1))} /> }
            }) }
            { VNode::from(VList::with_children(bars.collect(), None)) }
            <path class="beat" d={beats} />
            <path class="flag" d={flags} />
        </g>
    }
}

/// The bars in sight that look the same: one element, however many they are.
struct Form {
    track: Track,
    look: Look,
    /// Are they a part of what is followed? Empty while nothing is.
    lit: &'static str,
    path: String,
    /// Where the latest begins and how wide it is, in tenths of a unit.
    latest: (i64, i64),
}

fn forms(props: &MarksProps) -> Vec<Form> {
    let window = props.window;
    let mut forms: Vec<Form> = Vec::new();
    let tempo = &props.plot.tempo;
    // Numbers of facts are compared, since a story time has to be worked out.
    let [first, last] = [window.from, window.to].map(|story| tempo.playhead(story).applied);
    let begun = props.plot.bars.iter().take_while(|bar| bar.from < last);
    for bar in begun.filter(|bar| bar.to.is_none_or(|to| to >= first)) {
        let (track, look, record) = (bar.track, bar.look, bar.from);
        let from = tempo.before(bar.from);
        let to = bar.to.map_or(tempo.end(), |to| tempo.before(to));
        let lit = match &props.life {
            Some(life) if life.holds(record) => "lit",
            Some(_) => "unlit",
            None => "",
        };
        let like = |form: &Form| (form.track, form.look, form.lit) == (track, look, lit);
        let place = forms.iter().position(like).unwrap_or_else(|| {
            forms.push(Form {
                track,
                look,
                lit,
                path: String::new(),
                latest: (i64::MIN, 0),
            });
            forms.len() - 1
        });
        let form = &mut forms[place];
        let (x, end) = (window.x(from), window.x(to));
        let wide = (end - x).max(THIN);
        let here = ((x * 10.0) as i64, (wide * 10.0) as i64);
        // Nobody would see it under the one before.
        if form.latest == here {
            continue;
        }
        form.latest = here;
        let (top, height) = shape(look);
        let (y, wide, height) = (
            TOP + ROW * row(track) + top,
            fixed(wide, 1),
            short(height, 1),
        );
        let (x, y) = (fixed(x, 1), fixed(y, 1));
        form.path += &format!("M{x} {y}h{wide}v{height}h-{wide}z");
    }
    forms
}

fn row(track: Track) -> f64 {
    match track {
        Track::Store => 0.0,
        Track::Watch => 1.0,
        Track::Queue => 2.0,
        Track::Reconcile => 3.0,
    }
}

fn class(track: Track) -> &'static str {
    match track {
        Track::Store => "on-store",
        Track::Watch => "on-watch",
        Track::Queue => "on-queue",
        Track::Reconcile => "on-recon",
    }
}

fn kind(look: Look) -> &'static str {
    match look {
        Look::Write => "bar-write",
        Look::Flight => "bar-flight",
        Look::Lost => "bar-lost",
        Look::Wait => "bar-wait",
        Look::Delay => "bar-delay",
        Look::Success => "bar-success",
        Look::Failure => "bar-failure",
    }
}

/// Top and height within the row.
fn shape(look: Look) -> (f64, f64) {
    match look {
        Look::Write | Look::Lost => (2.0, 12.0),
        Look::Flight => (5.0, 6.0),
        Look::Wait => (4.0, 8.0),
        Look::Delay => (6.0, 4.0),
        Look::Success | Look::Failure => (3.5, 9.0),
    }
}
