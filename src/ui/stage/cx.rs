//! What every lane is given, and the small pieces that all of them draw.

use super::mark::{Names, key_class, swatch};
use crate::engine::key::Key;
use crate::engine::knobs::Knobs;
use crate::engine::record::RecordId;
use crate::frame::{Life, Place, Returned, Token, View};
use crate::layout::place_name;
use yew::prelude::*;

/// A lane of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    Store,
    Watch,
    Queue,
    Reconcile,
    Actual,
}

/// Something on the stage that was chosen: the fact that made it, and the object it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    pub record: RecordId,
    pub key: Key,
}

/// What a lane draws from.
pub struct Cx<'a> {
    /// The picture behind the tokens.
    pub view: &'a View,
    /// The token of the latest fact, while it has not landed.
    pub moving: Option<&'a Token>,
    /// Has the latest fact had its effect?
    pub landed: bool,
    pub names: &'a Names,
    pub knobs: &'a Knobs,
    pub lit: Option<&'a Life>,
    pub on_pick: &'a Callback<Pick>,
    pub on_lane: &'a Callback<Option<Lane>>,
}

impl Cx<'_> {
    /// The lane's frame: heading, figure, subtitle, body, foot.
    pub fn lane(&self, lane: Lane, num: Html, body: Html, foot: Html) -> Html {
        let (class, test_id, title) = match lane {
            Lane::Store => ("lane store", "lane-store", "Store"),
            Lane::Watch => ("lane watch", "lane-watch", "Watch"),
            Lane::Queue => ("lane queue", "lane-queue", "Work queue"),
            Lane::Reconcile => ("lane recon", "lane-reconcile", "Reconcile()"),
            Lane::Actual => ("lane actual", "lane-actual", "Actual"),
        };
        let subtitle = match lane {
            Lane::Store => "etcd + kube-apiserver".to_owned(),
            Lane::Watch => "informer".to_owned(),
            Lane::Queue => self.queue_name(),
            Lane::Reconcile => "the only function you write".to_owned(),
            Lane::Actual => "what really runs".to_owned(),
        };
        let controllers = matches!(lane, Lane::Watch | Lane::Queue | Lane::Reconcile);
        let down = (controllers && !self.view.running).then_some("down");
        let enter = self.on_lane.reform(move |_: MouseEvent| Some(lane));
        let leave = self.on_lane.reform(|_: MouseEvent| None);
        html! {
            <section class={classes!(class, down)} data-testid={test_id} aria-label={title}
                onmouseenter={enter} onmouseleave={leave}>
                <header>
                    <h2>{ title }</h2>
                    <span class="num">{ num }</span>
                    <p title={subtitle.clone()}>{ subtitle }</p>
                </header>
                <div class="body">{ body }</div>
                <footer>{ foot }</footer>
            </section>
        }
    }

    fn queue_name(&self) -> String {
        use crate::engine::knobs::QueueKind;
        match self.knobs.queue {
            QueueKind::ClientGo => "client-go work queue".to_owned(),
            QueueKind::Channel => {
                format!("plain channel, {} places", self.knobs.channel_capacity)
            }
        }
    }

    /// A thing that can be chosen, made by `record`; `class` is what it looks like.
    pub fn pick(
        &self,
        class: Classes,
        place: Option<Place>,
        record: RecordId,
        key: Key,
        label: String,
        children: Html,
    ) -> Html {
        let lit = self.lit.is_some_and(|lit| lit.holds(record));
        let leaving = place.is_some() && place == self.leaving();
        let class = classes!(
            "pick",
            class,
            key_class(key),
            lit.then_some("lit"),
            leaving.then_some("leaving")
        );
        let onclick = self.on_pick.reform(move |_| Pick { record, key });
        html! {
            <button type="button" {class} data-place={place.map(place_name)} title={label} {onclick}>
                { children }
            </button>
        }
    }

    /// The swatch and the name of a key.
    pub fn name(&self, key: Key) -> Html {
        html! { <>{ swatch(key) }<span class="name">{ self.names.short(key).to_owned() }</span></> }
    }

    /// A key that `worker` has handed back and that is not gone yet: until the end of that moment,
    /// or, if it was dirty, until it is on its way into the queue.
    pub fn returned(&self, worker: u8) -> Option<Returned> {
        let leaves = |token: &Token| token.from == Place::Worker(worker);
        self.view
            .returned
            .filter(|returned| returned.worker == worker)
            .filter(|returned| returned.dirty.is_some() || !self.landed && self.moving.is_none())
            .filter(|_| !self.moving.is_some_and(leaves))
    }

    /// The place that the moving key has left already, though the picture is still the old one.
    pub fn leaving(&self) -> Option<Place> {
        self.moving
            .map(|token| token.from)
            .filter(|from| matches!(from, Place::Ready(_) | Place::Shelf(_)))
    }
}
