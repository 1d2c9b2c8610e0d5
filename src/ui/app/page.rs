//! The page as it is drawn: the first scene's parts. What else there is comes with [`later`](super::later).

use super::{App, Msg, Root};
use crate::frame::Follow;
use crate::scene::fill;
use crate::session::{Direction, Stop};
use crate::ui::el::el_of;
use crate::ui::header::Header;
use crate::ui::live::announcement;
use crate::ui::stage::{Names, Pick, Stage};
use crate::ui::tale::Tale;
use yew::prelude::*;

impl App {
    pub(super) fn page(&self, ctx: &Context<Root>) -> Html {
        let link = ctx.link();
        let on_command = link.callback(Msg::Command);
        let session = &self.session;
        let header = Header {
            chapter: session.chapter(),
            scene: session.scene(),
            tabs: &self.tabs,
            on_chapter: link.callback(Msg::Chapter),
            on_command: &on_command,
        };
        let tale = Tale {
            chapter: session.chapter(),
            knobs: session.knobs(),
            scene: session.scene(),
            steps: session.steps(),
            step: session.step(),
            has_next: session.has_step(Direction::Forward),
            has_back: session.has_step(Direction::Back),
            beats: &self.beats,
            on_command: &on_command,
            on_step: link.callback(Msg::Told),
        };
        let soon = el_of("p", "soon")
            .attr("id", "soon")
            .attr("role", "status")
            .text("Buttons, timeline and panels are on their way…");
        let stage = el_of("main", "stage")
            .child(self.later(|| self.notice(ctx)))
            .child(self.later(|| self.followed(ctx)))
            .child(self.stage(ctx))
            .child(self.later(|| self.beside(ctx)))
            .child(self.later(|| self.below(ctx, &on_command)))
            .when(!self.whole, || soon);
        let heard = el_of("p", "visually-hidden")
            .attr("role", "status")
            .attr("aria-live", "polite")
            .text(self.announcement());
        el_of("div", if self.whole { "app" } else { "app part" })
            .attr("data-playing", session.is_playing().to_string())
            .child(header.view(self.later(|| self.tools(ctx, &on_command))))
            .child(tale.view(self.later(|| self.ask(ctx)), self.later(|| self.aside(ctx))))
            .child(stage)
            .child(heard)
            .child(self.later(|| self.over(ctx)))
            .into()
    }

    /// What is not in the program's first part is drawn as soon as the rest is there.
    fn later(&self, draw: impl FnOnce() -> Html) -> Html {
        if self.whole { draw() } else { Html::default() }
    }

    fn stage(&self, ctx: &Context<Root>) -> Html {
        let link = ctx.link();
        let session = &self.session;
        html! {
            <Stage
                picture={session.picture().clone()}
                names={Names(self.keys.clone())}
                knobs={session.knobs().clone()}
                painter={self.painter.clone()}
                skin={self.skin()}
                lit={self.life()}
                on_pick={link.callback(|pick: Pick| Msg::Follow(Some(Follow::Fact(pick.record))))}
                on_lane={link.callback(Msg::Lane)}
                label={self.label()}
            />
        }
    }

    /// What a screen reader hears now.
    fn announcement(&self) -> String {
        let playhead = self.session.playhead();
        let latest = self.session.run().record_before(playhead.applied);
        let step = self.session.steps().get(self.session.step());
        let told = step.filter(|step| match step.stop {
            Stop::After(fact) => fact + 1 == playhead.applied,
            Stop::Before(fact) => fact == playhead.applied,
            Stop::Nowhere => true,
        });
        match (told, latest) {
            (Some(step), _) => fill(step.beat.caption, self.session.knobs()),
            (None, Some(record)) => announcement(&record, &self.keys).unwrap_or_default(),
            _ => String::new(),
        }
    }
}
