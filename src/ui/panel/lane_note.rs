//! What a lane is in real Kubernetes, for whoever points at it or reaches it by keyboard.

use crate::scene::{KUBERNETES, Skin, Station};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct LaneNoteProps {
    pub station: Station,
    /// The words that the lane has on the page.
    pub skin: &'static Skin,
}

#[component]
pub fn LaneNote(props: &LaneNoteProps) -> Html {
    html! {
        <dl class="lane-note" role="note">
            <dt>{ heading(props) }</dt>
            <dd>{ props.station.real() }</dd>
            <dt>{ "The real one adds" }</dt>
            <dd>{ props.station.adds() }</dd>
        </dl>
    }
}

fn heading(props: &LaneNoteProps) -> String {
    let name = props.station.name();
    match props.skin.lane(props.station) {
        Some(words) if props.skin != &KUBERNETES => {
            format!("{} stands for: {name}", words.title)
        }
        _ => format!("{name} in real Kubernetes"),
    }
}
