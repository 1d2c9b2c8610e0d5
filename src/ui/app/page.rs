//! The page as it is drawn: the first scene's parts. What else there is comes with [`later`](super::later).

use super::{App, Msg};
use crate::frame::Follow;
use crate::scene::fill;
use crate::session::{Direction, Stop};
use crate::ui::header::{Header, StaticChapter};
use crate::ui::live::announcement;
use crate::ui::stage::{Names, Pick, Stage};
use crate::ui::tale::Tale;
use yew::prelude::*;

impl App {
    pub(super) fn page(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let on_command = link.callback(Msg::Command);
        let session = &self.session;
        let chapter = StaticChapter(session.chapter());
        html! {
            <div class="app" data-playing={session.is_playing().to_string()}>
                <Header
                    {chapter}
                    scene={session.scene()}
                    queue={session.knobs().queue}
                    theme={self.theme}
                    skin={self.skin()}
                    on_chapter={link.callback(Msg::Chapter)}
                    on_skin={link.callback(Msg::Skin)}
                    on_command={on_command.clone()}
                    on_theme={link.callback(Msg::Theme)}
                >
                    { self.later(|| self.tools(ctx, &on_command)) }
                </Header>
                <Tale
                    {chapter}
                    knobs={session.knobs().clone()}
                    scene={session.scene()}
                    steps={session.steps().to_vec()}
                    step={session.step()}
                    has_next={session.has_step(Direction::Forward)}
                    has_back={session.has_step(Direction::Back)}
                    on_command={on_command.clone()}
                    on_step={link.callback(Msg::Told)}
                    on_chapter={link.callback(Msg::Chapter)}
                    lane={self.lane}
                    skin={self.skin()}
                >
                    { self.later(|| self.ask(ctx)) }
                </Tale>
                <main class="stage">
                    { self.later(|| self.notice(ctx)) }
                    { self.stages(ctx) }
                    { self.later(|| self.below(ctx, &on_command)) }
                    if !self.whole {
                        <p class="soon" id="soon" role="status">{ "Buttons, timeline and panels are on their way…" }</p>
                    }
                </main>
                <p class="visually-hidden" role="status" aria-live="polite">{ self.announcement() }</p>
                { self.later(|| self.over(ctx)) }
            </div>
        }
    }

    /// What is not in the program's first part is drawn as soon as the rest is there.
    fn later(&self, draw: impl FnOnce() -> Html) -> Html {
        if self.whole { draw() } else { Html::default() }
    }

    fn stages(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let session = &self.session;
        let names = Names(self.keys.clone());
        let on_pick = link.callback(|pick: Pick| Msg::Follow(Some(Follow::Fact(pick.record))));
        let knobs = session.knobs().clone();
        let label = self.label();
        html! {
            <>
                { self.later(|| self.followed(ctx)) }
                <Stage
                    picture={session.picture().clone()}
                    {names}
                    {knobs}
                    painter={self.painter.clone()}
                    skin={self.skin()}
                    lit={self.life()}
                    {on_pick}
                    on_lane={link.callback(Msg::Lane)}
                    {label}
                />
                { self.later(|| self.beside(ctx)) }
            </>
        }
    }

    /// What a screen reader hears now.
    fn announcement(&self) -> String {
        let playhead = self.session.playhead();
        let records = self.session.run().records();
        let latest = playhead
            .applied
            .checked_sub(1)
            .and_then(|last| records.get(last as usize));
        let step = self.session.steps().get(self.session.step());
        let told = step.filter(|step| match step.stop {
            Stop::After(fact) => fact + 1 == playhead.applied,
            Stop::Before(fact) => fact == playhead.applied,
            Stop::Nowhere => true,
        });
        match (told, latest) {
            (Some(step), _) => fill(step.beat.caption, self.session.knobs()),
            (None, Some(record)) => announcement(record, &self.keys).unwrap_or_default(),
            _ => String::new(),
        }
    }
}
