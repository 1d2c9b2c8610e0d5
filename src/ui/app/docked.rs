//! What is open in the dock.

use super::{App, Msg};
use crate::frame::Follow;
use crate::session::Command;
use crate::ui::log::{Log, lines};
use crate::ui::panel::{Code, HandNow, Metrics, Objects, WhatIfs, cards};
use yew::html::Scope;
use yew::prelude::*;

/// The dock's panels, in order.
pub(super) const PANELS: [&str; 5] = ["Log", "Metrics", "Code", "What if", "Objects"];

impl App {
    /// Two of the metrics are refreshed by time alone, so this panel cannot wait for a fact.
    pub(super) fn shows_metrics(&self) -> bool {
        PANELS[self.panel] == "Metrics"
    }

    pub(super) fn panel(&self, link: &Scope<App>, on_command: &Callback<Command>) -> Html {
        let session = &self.session;
        let view = &session.picture().view;
        let records = &session.run().records()[..view.applied as usize];
        match PANELS[self.panel] {
            "Metrics" => html! { <Metrics metrics={session.metrics()} /> },
            "Code" => html! {
                <Code
                    now={HandNow::of(view, records.last(), &self.keys)}
                    breakpoints={session.breakpoints()}
                    stopped_at={session.stopped_at()}
                    on_command={on_command.clone()}
                />
            },
            "What if" => html! {
                <WhatIfs
                    knobs={session.knobs().clone()}
                    before={session.before()}
                    now={session.outlook()}
                    on_command={on_command.clone()}
                />
            },
            "Objects" => html! { <Objects cards={cards(view, records, &self.keys)} /> },
            _ => html! {
                <Log
                    lines={lines(records, &self.keys)}
                    lit={self.life()}
                    on_follow={link.callback(|id| Msg::Follow(Some(Follow::Fact(id))))}
                />
            },
        }
    }
}
