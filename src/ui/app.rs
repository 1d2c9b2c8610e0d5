//! The application: a session, and what is open on the page.

use super::acts::Acts;
use super::ask::{Ask, Guess};
use super::browser::{self, Keyboard, document, root};
use super::compare::{self, Compare};
use super::dock::Dock;
use super::header::{Header, StaticChapter, Theme};
use super::keys::{self, Sheet, Wish};
use super::live::announcement;
use super::log::{Log, lines};
use super::motion::{FrameLoop, prefers_still};
use super::own::Own;
use super::stage::{Names, Painter, Pick, Stage};
use super::tale::Tale;
use super::timeline::{Plot, Timeline, Window};
use super::transport::Transport;
use crate::engine::fixed::fixed;
use crate::engine::key::Keys;
use crate::engine::sorted::Map;
use crate::frame::{Follow, Life};
use crate::scene::{CONTROL_LOOP, fill};
use crate::session::{Command, Session, Stop};
use std::cell::Cell;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

pub enum Msg {
    Command(Command),
    /// Milliseconds since the last frame.
    Frame(f64),
    /// A step of the scene that is told.
    Told(usize),
    NewSeed,
    Theme(Theme),
    Resource(&'static str),
    Panel(usize),
    Window(Option<Window>),
    Guess(Guess),
    Follow(Option<Follow>),
    /// Compare with change number so and so, or not at all.
    Compare(Option<usize>),
    Key(web_sys::KeyboardEvent),
    Sheet(bool),
    Letters(bool),
}

/// The page.
pub struct App {
    session: Session,
    frames: FrameLoop,
    /// Is the loop wanted? It asks after each frame.
    moving: Rc<Cell<bool>>,
    painter: Painter,
    theme: Theme,
    resource: &'static str,
    panel: usize,
    /// The stretch of the timeline that the visitor chose; none follows the scene.
    window: Option<Window>,
    plot: Rc<Plot>,
    keys: Rc<Keys>,
    clock: NodeRef,
    rate: NodeRef,
    cursor: NodeRef,
    /// What the visitor predicted, by scene.
    guesses: Map<usize, Guess>,
    follow: Option<(Follow, Rc<Life>)>,
    /// The stage beside, where two runs are compared.
    compared: Option<(usize, Painter)>,
    /// Is the sheet of keys open?
    sheet: bool,
    /// Do single characters do something?
    letters: bool,
    /// Held as long as the page lives.
    _keyboard: Keyboard,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> App {
        let session = Session::opening(&CONTROL_LOOP);
        let theme = browser::recall("theme").map_or(Theme::System, |word| Theme::from_word(&word));
        show_theme(theme);
        let moving = Rc::new(Cell::new(false));
        let frames = {
            let (link, moving) = (ctx.link().clone(), moving.clone());
            FrameLoop::new(move |passed| {
                link.send_message(Msg::Frame(passed));
                moving.get()
            })
        };
        let painter = Painter::default();
        painter.set_still(prefers_still());
        App {
            plot: Rc::new(Plot::new(&session)),
            keys: Rc::new(session.run().keys().clone()),
            session,
            frames,
            moving,
            painter,
            theme,
            resource: CONTROL_LOOP.resources[0],
            panel: 0,
            window: None,
            clock: NodeRef::default(),
            rate: NodeRef::default(),
            cursor: NodeRef::default(),
            guesses: Map::new(),
            follow: None,
            compared: None,
            sheet: false,
            letters: browser::recall("letters").as_deref() != Some("off"),
            _keyboard: Keyboard::listen(ctx.link().callback(Msg::Key)),
        }
    }

    fn update(&mut self, _: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Frame(passed) => return self.frame(passed),
            Msg::Command(command) => self.command(command),
            Msg::Told(step) => {
                self.session.tell_step(step);
                self.refresh();
            }
            Msg::NewSeed => {
                // Short enough to be read out, long enough to be new.
                if let Ok(drawn) = getrandom::u32() {
                    self.command(Command::Seed(u64::from(drawn) % 1_000_000));
                }
            }
            Msg::Theme(theme) => {
                self.theme = theme;
                browser::keep("theme", theme.word());
                show_theme(theme);
            }
            Msg::Resource(resource) => self.resource = resource,
            Msg::Panel(panel) => self.panel = panel,
            Msg::Window(window) => self.window = window,
            Msg::Guess(guess) => {
                self.guesses.insert(self.session.scene(), guess);
            }
            Msg::Follow(follow) => self.follow(follow),
            Msg::Compare(change) => self.compare(change),
            Msg::Key(event) => {
                let Some(wish) = keys::wish(&event, &self.session, self.letters) else {
                    return false;
                };
                event.prevent_default();
                match wish {
                    Wish::Command(command) => self.command(command),
                    Wish::Sheet => self.sheet = !self.sheet,
                    Wish::LetGo => self.follow(None),
                }
            }
            Msg::Sheet(open) => self.sheet = open,
            Msg::Letters(letters) => {
                self.letters = letters;
                browser::keep("letters", if letters { "on" } else { "off" });
            }
        }
        self.keep_moving();
        true
    }

    fn rendered(&mut self, _: &Context<Self>, first: bool) {
        self.write();
        if first {
            let _ = root().set_attribute("data-ready", "true");
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let on_command = link.callback(Msg::Command);
        let session = &self.session;
        let picture = session.picture().clone();
        let chapter = StaticChapter(session.chapter());
        let playhead = session.playhead();
        let applied = playhead.applied as usize;
        html! {
            <div class="app">
                <Header
                    {chapter}
                    scene={session.scene()}
                    queue={session.knobs().queue}
                    theme={self.theme}
                    on_command={on_command.clone()}
                    on_theme={link.callback(Msg::Theme)}
                >
                    <button
                        type="button"
                        class="quiet"
                        aria-pressed={self.compared.is_some().to_string()}
                        title="Put a second run beside this one, with one thing different"
                        onclick={link.callback({
                            let compared = self.compared.is_some();
                            move |_| Msg::Compare((!compared).then_some(0))
                        })}
                    >
                        { "Compare" }
                    </button>
                    <button type="button" class="quiet icon-only" aria-label="Keys" title="The sheet of keys (?)" onclick={link.callback(|_| Msg::Sheet(true))}>
                        <kbd>{ "?" }</kbd>
                    </button>
                </Header>
                <Tale
                    {chapter}
                    knobs={session.knobs().clone()}
                    scene={session.scene()}
                    steps={session.steps().to_vec()}
                    step={session.step()}
                    has_next={session.has_step(crate::session::Direction::Forward)}
                    has_back={session.has_step(crate::session::Direction::Back)}
                    on_command={on_command.clone()}
                    on_step={link.callback(Msg::Told)}
                >
                    { self.ask(ctx) }
                </Tale>
                <main class="stage">
                    { self.stages(ctx) }
                    <Acts
                        {chapter}
                        knobs={session.knobs().clone()}
                        picture={picture.clone()}
                        keys={self.keys.clone()}
                        resource={self.resource}
                        would_drop={session.would_drop()}
                        on_command={on_command.clone()}
                        on_resource={link.callback(Msg::Resource)}
                    >
                        <Own
                            seed={session.seed()}
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
                            clock={self.clock.clone()}
                            rate={self.rate.clone()}
                            on_command={on_command.clone()}
                        />
                        <Timeline
                            plot={self.plot.clone()}
                            window={self.window()}
                            story={session.story()}
                            clock={clock(playhead.time)}
                            cursor={self.cursor.clone()}
                            on_seek={link.callback(|story| Msg::Command(Command::Seek(story)))}
                            on_window={link.callback(Msg::Window)}
                        />
                    </section>
                    <Dock panels={vec!["Log"]} open={self.panel} on_open={link.callback(Msg::Panel)}>
                        <Log
                            lines={lines(&session.run().records()[..applied], &self.keys)}
                            lit={self.life()}
                            on_follow={link.callback(|id| Msg::Follow(Some(Follow::Fact(id))))}
                        />
                    </Dock>
                </main>
                <p class="visually-hidden" role="status" aria-live="polite">{ self.announcement() }</p>
                if self.sheet {
                    <Sheet
                        letters={self.letters}
                        on_letters={link.callback(Msg::Letters)}
                        on_close={link.callback(|()| Msg::Sheet(false))}
                    />
                }
            </div>
        }
    }
}

/// Parts of the page that are there only at times.
impl App {
    fn ask(&self, ctx: &Context<Self>) -> Html {
        let Some((question, answers, shown)) = self.session.question() else {
            return html! {};
        };
        let guess = self.guesses.get(&self.session.scene()).copied();
        let on_guess = ctx.link().callback(Msg::Guess);
        html! { <Ask {question} {answers} {guess} {shown} {on_guess} /> }
    }

    fn stages(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let session = &self.session;
        let names = Names(self.keys.clone());
        let on_pick = link.callback(|pick: Pick| Msg::Follow(Some(Follow::Fact(pick.record))));
        let knobs = session.knobs().clone();
        let beside = self.compared.as_ref().zip(session.beside());
        let label = match beside {
            Some(_) => format!("This run: {}", compare::name(&knobs)),
            None => "The control loop".to_owned(),
        };
        html! {
            <>
                { self.followed(ctx) }
                <Stage
                    picture={session.picture().clone()}
                    names={names.clone()}
                    knobs={knobs.clone()}
                    painter={self.painter.clone()}
                    lit={self.life()}
                    {on_pick}
                    {label}
                />
                if let Some(((change, painter), (run, picture))) = beside {
                    <Compare
                        knobs={knobs}
                        other={run.origin().knobs.clone()}
                        change={*change}
                        counters={session.picture().view.counters}
                        beside={picture.view.counters}
                        ends={(session.run().at_end().counters, run.at_end().counters)}
                        on_change={link.callback(|change| Msg::Compare(Some(change)))}
                        on_close={link.callback(|()| Msg::Compare(None))}
                    />
                    <Stage
                        picture={picture.clone()}
                        names={Names(Rc::new(run.keys().clone()))}
                        knobs={run.origin().knobs.clone()}
                        painter={painter.clone()}
                        label={format!("The run beside: {}", compare::name(&run.origin().knobs))}
                    />
                }
            </>
        }
    }

    /// What is followed, and the ways out of it.
    fn followed(&self, ctx: &Context<Self>) -> Html {
        let Some((follow, life)) = &self.follow else {
            return html! {};
        };
        let link = ctx.link();
        let records = self.session.run().records();
        let (what, key) = match *follow {
            Follow::Key(key) => (format!("everything about {}", self.keys.text(key)), None),
            Follow::Fact(id) => {
                let record = records.get(id as usize);
                let line = record.and_then(|record| record.log_line(&self.keys, None));
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

impl App {
    fn command(&mut self, command: Command) {
        self.session.apply(command);
        self.refresh();
        if let Some((follow, life)) = &mut self.follow {
            let now = Life::new(self.session.run().records(), *follow);
            if now != **life {
                *life = Rc::new(now);
            }
        }
    }

    /// The run may be another one now.
    fn refresh(&mut self) {
        let plot = Plot::new(&self.session);
        if plot != *self.plot {
            self.plot = Rc::new(plot);
        }
        let keys = self.session.run().keys();
        if keys.len() != self.keys.len() {
            self.keys = Rc::new(keys.clone());
        }
    }

    /// A frame has passed: write what moved, and draw anew only where a fact has happened.
    fn frame(&mut self, passed: f64) -> bool {
        let before = (
            self.session.playhead().applied,
            self.session.scene(),
            self.session.step(),
        );
        self.session.advance(passed);
        if !self.session.is_playing() {
            self.moving.set(false);
            return true;
        }
        self.write();
        let scene = self.session.scene();
        if scene != before.1 {
            self.refresh();
        }
        (self.session.playhead().applied, scene, self.session.step()) != before
    }

    /// The loop runs while something moves, and only then.
    fn keep_moving(&self) {
        self.moving.set(self.session.is_playing());
        if self.moving.get() {
            self.frames.wake();
        }
    }

    fn life(&self) -> Option<Rc<Life>> {
        self.follow.as_ref().map(|(_, life)| life.clone())
    }

    fn follow(&mut self, follow: Option<Follow>) {
        let again = self.follow.as_ref().map(|(follow, _)| *follow) == follow;
        let records = self.session.run().records();
        self.follow = follow
            .filter(|_| !again)
            .map(|follow| (follow, Rc::new(Life::new(records, follow))));
    }

    fn compare(&mut self, change: Option<usize>) {
        let command = match change {
            Some(change) => compare::beside(self.session.knobs(), change),
            None => Command::Compare(None),
        };
        let painter = self.compared.take().map(|(_, painter)| painter);
        self.compared = change.map(|change| {
            let painter = painter.unwrap_or_default();
            painter.set_still(prefers_still());
            (change, painter)
        });
        self.command(command);
    }

    fn window(&self) -> Window {
        let (from, to) = self.plot.scene;
        self.window.unwrap_or(Window { from, to })
    }

    /// Write what simulated time drives, straight into the page.
    fn write(&self) {
        let playhead = self.session.playhead();
        let (share, beside) = match playhead.moves_beside {
            true => (1.0, playhead.share),
            false => (playhead.share, 1.0),
        };
        self.painter.paint(playhead.time, share);
        if let Some((_, painter)) = &self.compared {
            painter.paint(playhead.time, beside);
        }
        set_text(&self.clock, &clock(playhead.time));
        set_text(
            &self.rate,
            &pace(playhead.rate * self.session.speed(), &self.session),
        );
        if let Some(cursor) = self.cursor.cast::<Element>() {
            let x = self.window().x(self.session.story());
            let _ = cursor.set_attribute("transform", &format!("translate({} 0)", fixed(x, 2)));
        }
    }
}

fn set_text(node: &NodeRef, text: &str) {
    if let Some(element) = node.cast::<Element>()
        && element.text_content().as_deref() != Some(text)
    {
        element.set_text_content(Some(text));
    }
}

fn clock(nanos: f64) -> String {
    format!("{} s", fixed(nanos / 1e9, 3))
}

/// What the page does to time just now, in words.
fn pace(rate: f64, session: &Session) -> String {
    let state = match () {
        () if session.is_at_end() => "at rest",
        () if !session.is_playing() => "paused",
        () if rate <= 0.0 => "held to be seen",
        () if rate < 0.9 => "slowed to be seen",
        () if rate <= 1.1 => "in real time",
        () => return format!("fast forward ×{}", fixed(rate, 1)),
    };
    state.to_owned()
}

fn show_theme(theme: Theme) {
    let Some(root) = document().document_element() else {
        return;
    };
    let shown = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        Theme::Light | Theme::Dark => root.set_attribute("data-theme", theme.word()),
    };
    // A document that refuses an attribute keeps the system's theme.
    let _ = shown;
}
