//! The second lane: a wire, along which events fly. The wire itself is drawn by the painter.

use super::cx::{Cx, Lane};
use yew::prelude::*;

pub fn watch(cx: &Cx) -> Html {
    let flying = cx.view.flights.len();
    let body = html! {
        <div class="track">
            <i class="port in" data-place="watch-in"></i>
            <i class="port out" data-place="watch-out"></i>
        </div>
    };
    let foot = match flying {
        0 => html! { <span class="quiet">{ "0 in flight" }</span> },
        n => html! { <span><b>{ n }</b>{ " in flight" }</span> },
    };
    cx.lane(Lane::Watch, html! {}, body, foot)
}
