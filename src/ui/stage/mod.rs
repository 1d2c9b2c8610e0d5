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

#[derive(Clone, PartialEq, Properties)]
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

#[component]
pub fn Stage(props: &StageProps) -> Html {
    let root = use_node_ref();
    let redraw = use_force_update();
    let landed = props.painter.landed();
    let drawn = (props.picture.clone(), props.painter.clone(), landed);
    {
        let root = root.clone();
        use_effect_with(drawn, move |(picture, painter, landed)| {
            if let Some(root) = root.cast() {
                painter.attach(&root, picture.clone(), *landed, redraw);
            }
        });
    }
    {
        let painter = props.painter.clone();
        use_effect_with((), move |()| move || painter.detach());
    }
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
    html! {
        <div ref={root} class={classes!("lanes", informed.then_some("informed"), props.lit.is_some().then_some("following"))}
            role="group" aria-label={&props.label}>
            <div class="floor">
            { paths(&props.picture) }
            { if informed { server::server(&cx) } else { store::store(&cx) } }
            { if informed { informer::informer(&cx) } else { watch::watch(&cx) } }
            { queue::queue(&cx) }
            { reconcile::reconcile(&cx) }
            { if informed { road::road(&cx) } else { actual::actual(&cx) } }
            { if view.running { Html::default() } else { downtime(view, informed) } }
            { dot::dots(&cx, &props.picture) }
            </div>
        </div>
    }
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
