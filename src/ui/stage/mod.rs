//! The stage: five lanes, and what travels between them.
//!
//! [`Stage`] draws one [`Picture`](crate::frame::Picture) and is rendered anew only when a fact
//! happens or a token lands. Everything that moves between two facts is written by its [`Painter`],
//! straight into the elements, whenever the page's one loop hands it the playhead. The painter
//! measures the boxes that tokens travel between (`data-place`) once per re-render or resize; what
//! follows from them is worked out in [`crate::layout`].

mod actor;
mod actual;
mod answer;
mod brush;
mod cards;
mod cx;
mod dom;
mod dot;
mod informed;
mod informer;
mod label;
pub mod mark;
mod meter;
mod paint;
mod queue;
mod reconcile;
mod road;
mod server;
mod store;
mod watch;
mod words;

pub use cx::Pick;
pub use mark::Names;
pub use paint::Painter;
pub use words::Words;

use crate::engine::knobs::Knobs;
use crate::frame::{Life, Picture, Place, Token, View};
use crate::scene::{KUBERNETES, Skin, Station};
use crate::ui::el::{classes, el, el_of, row, text};
use cx::Cx;
use mark::{PAUSE, icon};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Clone, Properties)]
pub struct StageProps {
    pub picture: Rc<Picture>,
    pub names: Names,
    pub knobs: Rc<Knobs>,
    /// Writes what moves; one for each stage.
    pub painter: Painter,
    /// What chapter two's lanes and things are called.
    #[prop_or(&KUBERNETES)]
    pub skin: &'static Skin,
    /// What is followed: the facts of one causal life. Everything else steps back.
    #[prop_or_default]
    pub lit: Option<Rc<Life>>,
    #[prop_or_default]
    pub on_pick: Callback<Pick>,
    /// The lane that the reader points at or is in.
    #[prop_or_default]
    pub on_lane: Callback<Station>,
    /// What this stage is called where there are two of them.
    #[prop_or(AttrValue::Static("The control loop"))]
    pub label: AttrValue,
}

/// Drawn anew wherever its props may differ: a picture is told from another by where it is, not by all that it holds.
impl PartialEq for StageProps {
    fn eq(&self, other: &StageProps) -> bool {
        Rc::ptr_eq(&self.picture, &other.picture)
            && Rc::ptr_eq(&self.names.0, &other.names.0)
            && Rc::ptr_eq(&self.knobs, &other.knobs)
            && self.painter == other.painter
            && std::ptr::eq(self.skin, other.skin)
            && self.lit == other.lit
            && self.on_pick == other.on_pick
            && self.on_lane == other.on_lane
            && self.label == other.label
    }
}

pub struct Stage {
    root: NodeRef,
    redraw: Callback<()>,
}

impl Component for Stage {
    /// The token has landed.
    type Message = ();
    type Properties = StageProps;

    fn create(ctx: &Context<Self>) -> Stage {
        Stage {
            root: NodeRef::default(),
            redraw: ctx.link().callback(|()| ()),
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let landed = props.painter.landed();
        let view = props.picture.shown(landed);
        let cx = Cx {
            view,
            moving: props.picture.moving().filter(|_| !landed),
            landed,
            names: &props.names,
            knobs: &props.knobs,
            skin: props.skin,
            lit: props.lit.as_deref(),
            on_pick: &props.on_pick,
            on_lane: &props.on_lane,
        };
        let informed = cx.is_informed();
        let lanes = match informed {
            true => informed_lanes(&cx),
            false => lanes(&cx),
        };
        let floor = el_of("div", "floor")
            .child(paths(&props.picture))
            .child(lanes)
            .when(!view.running, || downtime(view, informed))
            .child(dot::dots(&cx, &props.picture));
        let following = props.lit.is_some();
        let class = classes(&[
            "lanes",
            if informed { "informed" } else { "" },
            if following { "following" } else { "" },
        ]);
        el_of("div", class)
            .node(&self.root)
            .attr("role", "group")
            .attr("aria-label", props.label.clone())
            .child(floor)
            .into()
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        let props = ctx.props();
        if let Some(root) = self.root.cast() {
            let landed = props.painter.landed();
            let picture = props.picture.clone();
            (props.painter).attach(&root, picture, landed, self.redraw.clone());
        }
    }

    fn destroy(&mut self, ctx: &Context<Self>) {
        ctx.props().painter.detach();
    }
}

fn lanes(cx: &Cx) -> Html {
    row([
        store::store(cx),
        watch::watch(cx),
        queue::queue(cx),
        reconcile::reconcile(cx),
        actual::actual(cx),
    ])
}

/// Where the controller has an informer.
#[inline(never)]
fn informed_lanes(cx: &Cx) -> Html {
    row([
        server::server(cx),
        informer::informer(cx),
        queue::queue(cx),
        reconcile::reconcile(cx),
        road::road(cx),
    ])
}

/// The lines: the watch's wire, and one under each token that takes another way.
fn paths(picture: &Picture) -> Html {
    let ways = picture
        .tokens
        .iter()
        .filter(|token| token.from != Place::WatchIn && token.from != token.to);
    let arrow = el("marker")
        .attr("id", "arrow")
        .attr("viewBox", "0 0 8 8")
        .attr("refX", "6")
        .attr("refY", "4")
        .attr("markerWidth", "7")
        .attr("markerHeight", "7")
        .attr("markerUnits", "userSpaceOnUse")
        .attr("orient", "auto")
        .child(el("path").attr("d", "M1 1 7 4 1 7"));
    let line = |class: String| el_of("path", class).attr("marker-end", "url(#arrow)");
    let way = |token: &Token| {
        line(classes(&[
            "way",
            token.shape.word(),
            dot::key_class_of(token),
        ]))
        .key(token.record)
        .attr("data-way", token.record.to_string())
        .into()
    };
    el_of("svg", "paths")
        .attr("aria-hidden", "true")
        .child(el("defs").child(arrow))
        .child(line("wire".to_owned()))
        .list(ways.map(way))
        .into()
}

/// Said where the controller's process is not up.
#[inline(never)]
fn downtime(view: &View, informed: bool) -> Html {
    let early = view.applied == 0 || informed && view.counters.requests == 0;
    let words = if early {
        text("The controller is about to start")
    } else {
        row([
            el("b").text("The controller is down").into(),
            el("span")
                .text("queue, delays and failure counts are gone")
                .into(),
        ])
    };
    let notice = el("p").child(icon(PAUSE)).child(words);
    el_of("div", "downtime").child(notice).into()
}
