//! What a lane is in real Kubernetes, for whoever points at it or reaches it by keyboard.

use crate::scene::Station;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct LaneNoteProps {
    pub station: Station,
}

#[component]
pub fn LaneNote(props: &LaneNoteProps) -> Html {
    html! {
        <dl class="lane-note" role="note">
            <dt>{ props.station.name() }{ " in real Kubernetes" }</dt>
            <dd>{ props.station.real() }</dd>
            <dt>{ "The real one adds" }</dt>
            <dd>{ props.station.adds() }</dd>
        </dl>
    }
}
