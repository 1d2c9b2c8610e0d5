//! What the config map reconciler knows in a pass: what the cache said, and what the API server
//! answered.

use super::answer::replied;
use super::cx::Cx;
use crate::engine::controller::configmap::is_labelled;
use crate::engine::controller::{Conclusion, Section};
use crate::engine::record::WriteAnswer;
use crate::frame::HandView;
use crate::scene::{Station, Thing};
use crate::ui::el::{El, classes, el, el_of};
use yew::prelude::*;

/// The pass in two lines.
#[inline(never)]
pub fn findings(cx: &Cx, focus: Option<&HandView>) -> Html {
    let found = focus.filter(|hand| hand.fetched).map(|hand| {
        let Some(object) = &hand.cached else {
            return ("plain", "nothing there".to_owned());
        };
        let revision = object.meta.resource_version;
        let (class, label) = match is_labelled(object) {
            true => ("plain", cx.skin.word(Thing::Labelled)),
            false => ("differs", cx.skin.word(Thing::Unlabelled)),
        };
        (class, format!("rev {revision}, {label}"))
    });
    let answered = focus.and_then(|hand| match hand.answer {
        Some(answer @ WriteAnswer::Failed { .. }) => Some(("differs", replied(answer))),
        Some(answer) => Some(("plain", replied(answer))),
        None if hand.section == Section::WriteBack => Some(("plain", "asked…".to_owned())),
        None => None,
    });
    let name = |long: &'static str, short: &'static str| {
        let short = el_of("span", "short").text(short);
        el("th")
            .attr("scope", "row")
            .child(el_of("span", "long").text(long))
            .child(short)
    };
    let line = |name: El, said: Option<(&'static str, String)>| {
        let (class, said) = said.unwrap_or(("", "·".to_owned()));
        el_of("tr", class)
            .child(name)
            .child(el("td").attr("title", said.clone()).text(said))
    };
    let idle = if focus.is_none() { "idle" } else { "" };
    let cache = cx.skin.word(Thing::Cache);
    let server = cx
        .skin
        .lane(Station::Store)
        .map_or("API server", |words| words.title);
    let lines = el("tbody")
        .child(line(name(cache, cache), found))
        .child(line(name(server, "API"), answered));
    el_of("table", classes(&["diff", "findings", idle]))
        .child(lines)
        .into()
}

/// What the work queue is told after this.
#[inline(never)]
pub fn consequence(conclusion: Conclusion) -> &'static str {
    match conclusion {
        Conclusion::Error { .. } => "→ retry",
        Conclusion::RequeueAfter { .. } => "→ add after",
        _ => "→ forget",
    }
}
