//! The parts of the page that are drawn when the whole program is there, or only at times. Each is a function of its own,
//! never a part of its caller: the program's first part does without them (script/split.mjs).

use super::moving::clock;
use super::{App, Msg, Root};
use crate::engine::knobs::ControllerKind;
use crate::frame::Follow;
use crate::session::{Command, Direction, Session};
use crate::ui::acts::Acts;
use crate::ui::address;
use crate::ui::ask::Ask;
use crate::ui::compare::{self, Compare};
use crate::ui::console;
use crate::ui::dock::Dock;
use crate::ui::el::row;
use crate::ui::header::{self, StaticChapter};
use crate::ui::icon::{Glyph, icon};
use crate::ui::keys::Sheet;
use crate::ui::log::{Log, lines};
use crate::ui::own::Own;
use crate::ui::panel::{Code, HandNow, Metrics, WhatIfs, cards, lane_note, objects};
use crate::ui::share::Share;
use crate::ui::stage::{Names, Stage, Words};
use crate::ui::tale;
use crate::ui::timeline::{Timeline, tracks};
use crate::ui::transport::Transport;
use std::rc::Rc;
use yew::prelude::*;

/// The dock's panels, in order.
const PANELS: [&str; 6] = ["Log", "Console", "Metrics", "Code", "What if", "Objects"];
/// The console's place among them.
pub(super) const CONSOLE: usize = 1;

/// Is this the panel of the metrics?
pub(super) fn shows_metrics(panel: usize) -> bool {
    PANELS[panel] == "Metrics"
}

/// Does the seed decide what happens? Upgrades alone fail by chance.
fn plays_by_chance(session: &Session) -> bool {
    session.chapter().controller == ControllerKind::Database
}

impl App {
    /// The header's buttons.
    #[inline(never)]
    pub(super) fn tools(&self, ctx: &Context<Root>, on_command: &Callback<Command>) -> Html {
        let link = ctx.link();
        let session = &self.session;
        html! {
            <>
                {
                    match session.chapter().skins.is_empty() {
                        true => header::queue_switch(session.knobs().queue, on_command),
                        false => header::skin_switch(session.chapter(), self.skin(), &link.callback(Msg::Skin)),
                    }
                }
                    <button
                        type="button"
                        class="quiet narrow"
                        aria-label="Compare"
                        aria-pressed={session.beside().is_some().to_string()}
                        title="Put a second run beside this one, with one thing different"
                        onclick={on_command.reform({
                            let compared = session.beside().is_some();
                            let (chapter, scene) = (session.chapter(), session.scene());
                            let knobs = session.knobs().clone();
                            move |_: MouseEvent| match compared {
                                true => Command::Compare(None),
                                false => compare::begin(chapter, scene, &knobs),
                            }
                        })}
                    >
                        { icon(Glyph::Compare) }<span class="said">{ "Compare" }</span>
                    </button>
                    <button type="button" class="quiet narrow" aria-label="Share" title="A link to exactly this, and the run as files" onclick={link.callback(|_| Msg::Share(true))}>{ icon(Glyph::Share) }<span class="said">{ "Share" }</span></button>
                    <button type="button" class="quiet icon-only" aria-label="Keys" title="The sheet of keys (?)" onclick={link.callback(|_| Msg::Sheet(true))}>
                        <kbd>{ "?" }</kbd>
                    </button>
                { header::theme_button(self.theme, &link.callback(Msg::Theme)) }
            </>
        }
    }

    /// Below the story: what the lane is that is pointed at, and the way into the next chapter.
    #[inline(never)]
    pub(super) fn aside(&self, ctx: &Context<Root>) -> Html {
        let last = !self.session.has_step(Direction::Forward);
        let onward = last.then(|| {
            let on_chapter = ctx.link().callback(Msg::Chapter);
            tale::onward(self.session.chapter(), on_chapter)
        });
        let note = self.lane.map(|lane| lane_note(lane, self.skin()));
        row([onward.unwrap_or_default(), note.unwrap_or_default()])
    }

    /// Something that the visitor has to be told.
    #[inline(never)]
    pub(super) fn notice(&self, ctx: &Context<Root>) -> Html {
        let link = ctx.link();
        html! {
            <>
                    if let Some(notice) = &self.notice {
                        <p class="notice" role="alert">
                            { notice }
                            <button type="button" class="toggle" onclick={link.callback(|_| Msg::Dismiss)}>{ "Dismiss" }</button>
                        </p>
                    }
            </>
        }
    }

    /// What stands below the stage.
    #[inline(never)]
    pub(super) fn below(&self, ctx: &Context<Root>, on_command: &Callback<Command>) -> Html {
        let link = ctx.link();
        let session = &self.session;
        let picture = session.picture().clone();
        let chapter = StaticChapter(session.chapter());
        html! {
            <>
                    <Acts
                        {chapter}
                        knobs={session.knobs().clone()}
                        picture={picture.clone()}
                        keys={self.keys.clone()}
                        resource={self.resource}
                        full={session.is_full()}
                        would_drop={session.would_drop()}
                        on_command={on_command.clone()}
                        on_resource={link.callback(Msg::Resource)}
                    >
                        <Own
                            seed={plays_by_chance(session).then_some(session.seed())}
                            can_undo={session.can_undo()}
                            can_redo={session.can_redo()}
                            on_command={on_command.clone()}
                            on_new_seed={link.callback(|()| Msg::NewSeed)}
                        />
                    </Acts>
                    <section class="time" aria-label="Time">
                        <Transport
                            playing={session.is_playing()}
                            speed={session.speed()}
                            pace={session.pace()}
                            counters={picture.view.counters}
                            clock={self.clock.place.clone()}
                            rate={self.rate.place.clone()}
                            on_command={on_command.clone()}
                        />
                        <Timeline
                            plot={self.plot.clone()}
                            names={tracks(session.chapter(), self.skin())}
                            window={self.window()}
                            life={self.life()}
                            story={session.story()}
                            clock={clock(session.playhead().time)}
                            cursor={self.cursor.place.clone()}
                            on_seek={link.callback(|story| Msg::Command(Command::Seek(story)))}
                            on_window={link.callback(Msg::Window)}
                        />
                    </section>
                    <Dock panels={PANELS.to_vec()} open={self.panel} on_open={link.callback(Msg::Panel)}>
                        { self.panel(ctx, on_command) }
                    </Dock>
            </>
        }
    }

    /// What lies over the page, or is there in an article only.
    #[inline(never)]
    pub(super) fn over(&self, ctx: &Context<Root>) -> Html {
        let link = ctx.link();
        let session = &self.session;
        html! {
            <>
                if address::is_embedded() {
                    <a class="whole" target="_blank" rel="noopener" href={address::with_fragment(&session.link().to_string())}>
                        { "Open in Loopscope" }
                    </a>
                }
                if self.share {
                    <Share
                        fragment={session.link().to_string()}
                        on_export={link.callback(Msg::Export)}
                        on_close={link.callback(|()| Msg::Share(false))}
                    />
                }
                if self.sheet {
                    <Sheet
                        letters={self.letters}
                        on_letters={link.callback(Msg::Letters)}
                        on_close={link.callback(|()| Msg::Sheet(false))}
                    />
                }
            </>
        }
    }

    /// The stage in words, and the run beside this one.
    #[inline(never)]
    pub(super) fn beside(&self, ctx: &Context<Root>) -> Html {
        let link = ctx.link();
        let session = &self.session;
        html! {
            <>
                <Words
                    picture={session.picture().clone()}
                    names={Names(self.keys.clone())}
                    skin={(session.knobs().controller == ControllerKind::ConfigMap).then(|| self.skin())}
                    held={session.is_playing() && session.speed() > 1.0}
                    label={self.label()}
                />
                if let Some((run, picture)) = session.beside() {
                    <Compare
                        knobs={session.knobs().clone()}
                        other={run.origin().knobs.clone()}
                        counters={session.picture().view.counters}
                        beside={picture.view.counters}
                        ends={(session.outlook(), run.outlook())}
                        on_command={link.callback(Msg::Command)}
                    />
                    <Stage
                        picture={picture.clone()}
                        names={Names(Rc::new(run.keys().clone()))}
                        knobs={run.origin().knobs.clone()}
                        painter={self.painter_beside.clone()}
                        skin={self.skin()}
                        label={format!("The run beside: {}", compare::name(&run.origin().knobs, session.knobs()))}
                    />
                }
            </>
        }
    }

    /// The open panel of the dock.
    #[inline(never)]
    pub(super) fn panel(&self, ctx: &Context<Root>, on_command: &Callback<Command>) -> Html {
        let session = &self.session;
        let picture = session.picture();
        let run = session.run();
        match PANELS[self.panel] {
            "Console" => console::view(&self.console, session, &ctx.link().callback(Msg::Console)),
            "Metrics" => html! { <Metrics metrics={session.metrics()} /> },
            "Code" => html! {
                <Code
                    knobs={session.knobs().clone()}
                    now={HandNow::of(&picture.view, run.record_before(picture.view.applied).as_ref(), &self.keys, session.knobs())}
                    breakpoints={session.breakpoints()}
                    stopped_at={session.stopped_at()}
                    on_command={on_command.clone()}
                />
            },
            "What if" => html! {
                <WhatIfs
                    knobs={session.knobs().clone()}
                    usual={session.chapter().knobs(session.scene())}
                    before={session.before()}
                    now={session.outlook()}
                    on_command={on_command.clone()}
                />
            },
            "Objects" => {
                let world = self.console.shell.world(session);
                objects(&cards(&picture.view, &world, &self.keys))
            }
            _ => html! {
                <Log
                    lines={lines(run, picture.view.applied, &self.keys)}
                    lit={self.life()}
                    on_follow={ctx.link().callback(|id| Msg::Follow(Some(Follow::Fact(id))))}
                />
            },
        }
    }

    #[inline(never)]
    pub(super) fn ask(&self, ctx: &Context<Root>) -> Html {
        let Some((question, answers, shown)) = self.session.question() else {
            return html! {};
        };
        let guess = self.guesses.get(&self.session.scene()).copied();
        let on_guess = ctx.link().callback(Msg::Guess);
        html! { <Ask {question} answers={answers.clone()} {guess} {shown} {on_guess} /> }
    }

    /// What is followed, and the ways out of it.
    #[inline(never)]
    pub(super) fn followed(&self, ctx: &Context<Root>) -> Html {
        let Some((follow, life)) = &self.follow else {
            return html! {};
        };
        let link = ctx.link();
        let run = self.session.run();
        let (what, key) = match *follow {
            Follow::Key(key) => (format!("everything about {}", self.keys.text(key)), None),
            Follow::Fact(id) => {
                let (record, next) = (run.record(id), run.record(id.saturating_add(1)));
                let line = record
                    .as_ref()
                    .and_then(|record| record.log_line(&self.keys, next.as_ref()));
                let key = record.and_then(|record| record.fact.key());
                (line.unwrap_or_else(|| "one fact".to_owned()), key)
            }
        };
        html! {
            <p class="followed" role="status">
                <span>{ "Following " }<b>{ what }</b>{ format!(": {} facts belong to it", life.len()) }</span>
                if let Some(key) = key {
                    <button type="button" class="toggle" onclick={link.callback(move |_| Msg::Follow(Some(Follow::Key(key))))}>
                        { "Everything about this key" }
                    </button>
                }
                <button type="button" class="toggle" title="Stop following (Esc)" onclick={link.callback(|_| Msg::Follow(None))}>
                    { "Stop following" }
                </button>
            </p>
        }
    }

    pub(super) fn label(&self) -> String {
        let session = &self.session;
        match session.beside() {
            Some((run, _)) => {
                let name = compare::name(session.knobs(), &run.origin().knobs);
                format!("This run: {name}")
            }
            None => session.chapter().title.to_owned(),
        }
    }
}
