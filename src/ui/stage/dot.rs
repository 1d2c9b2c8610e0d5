//! The tokens' markup. Where they are is the painter's business.

use super::cx::Cx;
use super::mark::{ACT, CROSS, EYE, PROMPT, event_shape, icon, key_class};
use crate::frame::{Ending, Picture, Place, Shape, Token};
use yew::prelude::*;

/// The layer of everything that travels: lines behind the lanes' content, tokens before it.
pub fn dots(cx: &Cx, picture: &Picture) -> Html {
    let halo = picture.moving().map(|token| {
        let dirt = matches!(token.to, Place::DirtyMark(_)).then_some("dirt");
        classes!(key_class(token.key), dirt)
    });
    let halo = classes!("halo", halo);
    html! {
        <div class="tokens" aria-hidden="true">
            { for picture.tokens.iter().map(|token| dot(cx, token)) }
            <div class={halo}></div>
            <div class="word"></div>
        </div>
    }
}

fn dot(cx: &Cx, token: &Token) -> Html {
    let kind = token.shape.word();
    let inside = match token.shape {
        Shape::Event(event) => {
            html! { <>{ event_shape(event) }{ token.revision.map_or("list".to_owned(), |n| n.to_string()) }</> }
        }
        Shape::Lost => html! { <>{ icon(CROSS) }{ "lost" }</> },
        Shape::Key => cx.name(token.key),
        Shape::Request if token.ending == Ending::Dissolve => {
            html! { <>{ icon(PROMPT) }{ "delete" }</> }
        }
        Shape::Request => html! { <>{ icon(PROMPT) }{ "write" }</> },
        Shape::Act => html! { <>{ icon(ACT) }{ "act" }</> },
        Shape::Look => {
            let what = match token.from {
                Place::Object(_) => "desired",
                _ => "actual",
            };
            html! { <>{ icon(EYE) }{ what }</> }
        }
    };
    html! {
        <div key={token.record} class={classes!("token", kind, key_class(token.key))}
            data-token={kind} data-key={cx.names.full(token.key).to_owned()}
            data-record={token.record.to_string()}>
            <span>{ inside }</span>
        </div>
    }
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
