//! The tokens' markup. Where they are is the painter's business.

use super::answer::{answered, replied};
use super::cx::{Cx, Pick};
use super::mark::{ACT, CHECK, CROSS, EYE, PEN, PROMPT, event_shape, icon, key_class};
use crate::frame::{Ending, Picture, Place, Shape, Token, Travel};
use crate::scene::Thing;
use crate::ui::el::{classes, el, el_of, row, text};
use yew::prelude::*;

/// Events in flight that are drawn: the ones that arrive next. How many there are is said below the
/// wire; a thousand on a finger's width of it would hide each other, and cost a frame.
const FLIGHTS_MAX: usize = 120;

/// The tokens that are drawn, in the order of their elements.
pub fn drawn(picture: &Picture) -> impl Iterator<Item = &Token> {
    let tokens = picture.tokens.iter().enumerate();
    tokens.filter_map(|(nth, token)| {
        (nth < FLIGHTS_MAX || token.travel == Travel::Dwell).then_some(token)
    })
}

/// The layer of everything that travels: lines behind the lanes' content, tokens before it.
pub fn dots(cx: &Cx, picture: &Picture) -> Html {
    let halo = picture.moving().map_or("", key_class_of);
    let dirt = |token: &Token| matches!(token.to, Place::DirtyMark(_));
    let dirt = if picture.moving().is_some_and(dirt) {
        "dirt"
    } else {
        ""
    };
    el_of("div", "tokens")
        .attr("aria-hidden", "true")
        .list(drawn(picture).map(|token| dot(cx, token)))
        .child(el_of("div", classes(&["halo", halo, dirt])))
        .child(el_of("div", "word"))
        .into()
}

#[inline(never)]
fn dot(cx: &Cx, token: &Token) -> Html {
    let kind = token.shape.word();
    let said = |sign: &'static str, word: &'static str| row([icon(sign), text(word)]);
    let heard = |word: String| {
        let sign = if token.shape.is_refusal() {
            CROSS
        } else {
            CHECK
        };
        row([icon(sign), text(word)])
    };
    let inside = match token.shape {
        Shape::Event(event) => {
            let number = token.revision.map_or("list".to_owned(), |n| n.to_string());
            row([event_shape(event), text(number)])
        }
        Shape::Lost => said(CROSS, "lost"),
        Shape::Key | Shape::Copy => token.key.map_or_else(|| text(""), |key| cx.name(key)),
        Shape::Request if token.ending == Ending::Dissolve => said(PROMPT, "delete"),
        Shape::Request => said(PROMPT, "write"),
        Shape::Act if matches!(token.to, Place::Cached(_)) => said(PEN, "scribble"),
        Shape::Act => said(ACT, "act"),
        Shape::Look => match token.from {
            Place::Object(_) => said(EYE, "desired"),
            Place::Cached(_) => said(EYE, cx.skin.word(Thing::Cache)),
            _ => said(EYE, "actual"),
        },
        Shape::Ask { list: true } => said(PROMPT, "list"),
        Shape::Ask { list: false } => said(PROMPT, "watch"),
        Shape::Answer(reply) => heard(answered(reply)),
        Shape::Update => said(PEN, "update"),
        Shape::Reply(answer) => heard(replied(answer)),
    };
    let record = token.record;
    let pick = token.key.map(|key| Pick { record, key });
    let refused = if token.shape.is_refusal() {
        "refused"
    } else {
        ""
    };
    let mut dot = el_of(
        "div",
        classes(&["token", kind, refused, key_class_of(token)]),
    )
    .key(token.record)
    .attr("data-token", kind)
    .attr(
        "data-key",
        token.key.map_or("", |key| cx.names.full(key)).to_owned(),
    )
    .attr("data-record", record.to_string())
    .child(el("span").child(inside));
    if let Some(pick) = pick {
        dot = dot.on_click(cx.on_pick.reform(move |_| pick));
    }
    dot.into()
}

/// The colour of what the token is about, if it is about one object.
pub fn key_class_of(token: &Token) -> &'static str {
    token.key.map_or("", key_class)
}

/// The word that rises at the goal, where the landing needs one.
pub fn word(token: &Token) -> &'static str {
    match (token.shape, token.ending, token.to) {
        (Shape::Key, Ending::Dissolve, _) => "merged",
        (Shape::Key, Ending::Settle, Place::DirtyMark(_)) => "marked dirty",
        (Shape::Event(_) | Shape::Lost, Ending::Dissolve, _) => "key only",
        (Shape::Request, Ending::Lost, _) => "no change",
        (_, Ending::Lost, _) => "lost",
        _ => "",
    }
}
