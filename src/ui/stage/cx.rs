//! What every lane is given, and the small pieces that all of them draw.

use super::mark::{Names, icon, key_class, sign, swatch};
use crate::engine::key::Key;
use crate::engine::knobs::{ControllerKind, Knobs, QueueKind};
use crate::engine::record::RecordId;
use crate::frame::{Life, Place, Returned, Token, View};
use crate::layout::place_name;
use crate::scene::{Skin, Station};
use crate::ui::el::{classes, el, el_of, row};
use std::rc::Rc;
use yew::html::{onfocusin, onmouseover};
use yew::prelude::*;

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
    /// What chapter two's lanes and things are called.
    pub skin: &'static Skin,
    pub lit: Option<&'a Life>,
    pub on_pick: &'a Callback<Pick>,
    pub on_lane: &'a Callback<Station>,
}

impl Cx<'_> {
    /// The lane's frame: heading, figure, subtitle, body, foot.
    pub fn lane(&self, lane: Station, num: Html, body: Html, foot: Html) -> Html {
        let skinned = self.is_informed().then(|| self.skin.lane(lane)).flatten();
        let title = skinned.map_or(lane.name(), |words| words.title);
        let (class, test_id) = match lane {
            Station::Store => ("lane store", "lane-store"),
            Station::Watch => ("lane watch", "lane-watch"),
            Station::Informer => ("lane informer", "lane-informer"),
            Station::Queue => ("lane queue", "lane-queue"),
            Station::Reconcile => ("lane recon", "lane-reconcile"),
            Station::Actual => ("lane actual", "lane-actual"),
        };
        let channel = lane == Station::Queue && self.knobs.queue == QueueKind::Channel;
        let note = skinned.filter(|_| !channel).map(|words| words.note);
        let subtitle = match lane {
            _ if note.is_some() => note.unwrap_or_default().to_owned(),
            Station::Store => "etcd + kube-apiserver".to_owned(),
            Station::Watch => "informer".to_owned(),
            Station::Informer => "list, watch, a local copy".to_owned(),
            Station::Queue => self.queue_name(),
            Station::Reconcile => "the only function you write".to_owned(),
            Station::Actual => "what really runs".to_owned(),
        };
        let controllers = !matches!(lane, Station::Store | Station::Actual);
        let down = if controllers && !self.view.running {
            "down"
        } else {
            ""
        };
        let lane_seen = self.on_lane.reform(move |_: FocusEvent| lane);
        let lane_met = self.on_lane.reform(move |_: MouseEvent| lane);
        let header = el("header")
            .child(
                el("h2").child(
                    el_of("button", "lane-name")
                        .attr("type", "button")
                        .when(skinned.is_some(), || {
                            skinned.map_or_else(Html::default, |words| icon(sign(words.icon)))
                        })
                        .text(title),
                ),
            )
            .child(el_of("span", "num").child(num))
            .child(el("p").attr("title", subtitle.clone()).text(subtitle));
        el_of("section", classes(&[class, down]))
            .attr("data-testid", test_id)
            // A group and no landmark: there are five, and twice as many where two runs are compared.
            .attr("role", "group")
            .attr("aria-label", title)
            .listen(Rc::new(onmouseover::Wrapper::new(lane_met)))
            .listen(Rc::new(onfocusin::Wrapper::new(lane_seen)))
            .child(header)
            .child(el_of("div", "body").child(body))
            .child(el("footer").child(foot))
            .into()
    }

    /// Is there an informer with a cache in the picture?
    pub fn is_informed(&self) -> bool {
        self.knobs.controller == ControllerKind::ConfigMap
    }

    fn queue_name(&self) -> String {
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
        class: &str,
        place: Option<Place>,
        record: RecordId,
        key: Key,
        label: String,
        children: Html,
    ) -> Html {
        let lit = self.lit.is_some_and(|lit| lit.holds(record));
        let leaving = place.is_some() && place == self.leaving();
        let lit = if lit { "lit" } else { "" };
        let leaving = if leaving { "leaving" } else { "" };
        el_of(
            "button",
            classes(&["pick", class, key_class(key), lit, leaving]),
        )
        .attr("type", "button")
        .attr("title", label)
        .attr_if("data-place", place.map(place_name))
        .on_click(self.on_pick.reform(move |_| Pick { record, key }))
        .child(children)
        .into()
    }

    /// The swatch and the name of a key.
    pub fn name(&self, key: Key) -> Html {
        let name = el_of("span", "name").text(self.names.short(key).to_owned());
        row([swatch(key), name.into()])
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
