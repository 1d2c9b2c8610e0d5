//! The application: a session, and what is open on the page.

use super::acts::Acts;
use super::browser::{self, document, root};
use super::dock::Dock;
use super::header::{Header, StaticChapter, Theme};
use super::log::{Log, lines};
use super::panel::{Code, HandNow, Metrics, Objects, WhatIfs, cards};
use super::pulse::Pulse;
use super::tale::Tale;
use super::timeline::{Plot, Timeline, Window};
use super::transport::Transport;
use crate::engine::key::Keys;
use crate::scene::CONTROL_LOOP;
use crate::session::{Command, Session};
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
}

/// The dock's panels, in order.
const PANELS: [&str; 5] = ["Log", "Metrics", "Code", "What if", "Objects"];
const METRICS: usize = 1;

/// The page.
pub struct App {
    session: Session,
    pulse: Option<Pulse>,
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
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(_: &Context<Self>) -> App {
        let session = Session::opening(&CONTROL_LOOP);
        let theme = browser::recall("theme").map_or(Theme::System, |word| Theme::from_word(&word));
        show_theme(theme);
        App {
            plot: Rc::new(Plot::new(&session)),
            keys: Rc::new(session.run().keys().clone()),
            session,
            pulse: None,
            theme,
            resource: CONTROL_LOOP.resources[0],
            panel: 0,
            window: None,
            clock: NodeRef::default(),
            rate: NodeRef::default(),
            cursor: NodeRef::default(),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
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
        }
        self.keep_pulse(ctx);
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
        html! {
            <div class="app">
                <Header
                    {chapter}
                    scene={session.scene()}
                    queue={session.knobs().queue}
                    theme={self.theme}
                    on_command={on_command.clone()}
                    on_theme={link.callback(Msg::Theme)}
                />
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
                />
                <main class="stage">
                    <Acts
                        {chapter}
                        knobs={session.knobs().clone()}
                        picture={picture.clone()}
                        keys={self.keys.clone()}
                        resource={self.resource}
                        would_drop={session.would_drop()}
                        on_command={on_command.clone()}
                        on_resource={link.callback(Msg::Resource)}
                    />
                    <section class="time" aria-label="Time">
                        <Transport
                            playing={session.is_playing()}
                            backwards={session.plays_backwards()}
                            speed={session.speed()}
                            pace={session.pace()}
                            counters={picture.view.counters}
                            seed={session.seed()}
                            can_undo={session.can_undo()}
                            can_redo={session.can_redo()}
                            clock={self.clock.clone()}
                            rate={self.rate.clone()}
                            on_command={on_command.clone()}
                            on_new_seed={link.callback(|()| Msg::NewSeed)}
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
                    <Dock panels={PANELS.to_vec()} open={self.panel} on_open={link.callback(Msg::Panel)}>
                        { self.panel(&on_command) }
                    </Dock>
                </main>
            </div>
        }
    }
}

impl App {
    fn command(&mut self, command: Command) {
        self.session.apply(command);
        self.refresh();
    }

    /// The open panel of the dock.
    fn panel(&self, on_command: &Callback<Command>) -> Html {
        let session = &self.session;
        let picture = session.picture();
        let records = &session.run().records()[..picture.view.applied as usize];
        match PANELS[self.panel] {
            "Metrics" => html! { <Metrics metrics={session.metrics()} /> },
            "Code" => html! {
                <Code
                    now={HandNow::of(picture, &self.keys)}
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
            "Objects" => html! { <Objects cards={cards(&picture.view, records, &self.keys)} /> },
            _ => html! { <Log lines={lines(records, &self.keys)} /> },
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
        // Two of the metrics are refreshed by time alone.
        let metrics = (self.panel == METRICS).then(|| self.session.metrics());
        let before = (
            self.session.playhead().applied,
            self.session.scene(),
            self.session.step(),
        );
        self.session.advance(passed);
        if !self.session.is_playing() {
            self.pulse = None;
            return true;
        }
        self.write();
        let scene = self.session.scene();
        if scene != before.1 {
            self.refresh();
        }
        (self.session.playhead().applied, scene, self.session.step()) != before
            || metrics.is_some_and(|metrics| metrics != self.session.metrics())
    }

    /// The loop runs while something moves, and only then.
    fn keep_pulse(&mut self, ctx: &Context<Self>) {
        match (self.session.is_playing(), &self.pulse) {
            (true, None) => self.pulse = Some(Pulse::start(ctx.link().callback(Msg::Frame))),
            (false, Some(_)) => self.pulse = None,
            _ => {}
        }
    }

    fn window(&self) -> Window {
        let (from, to) = self.plot.scene;
        self.window.unwrap_or(Window { from, to })
    }

    /// Write what simulated time drives, straight into the page.
    fn write(&self) {
        let playhead = self.session.playhead();
        set_text(&self.clock, &clock(playhead.time));
        set_text(
            &self.rate,
            &pace(playhead.rate * self.session.speed(), &self.session),
        );
        if let Some(cursor) = self.cursor.cast::<Element>() {
            let x = self.window().x(self.session.story());
            let _ = cursor.set_attribute("transform", &format!("translate({x:.2} 0)"));
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
    format!("{:.3} s", nanos / 1e9)
}

/// What the page does to time just now, in words.
fn pace(rate: f64, session: &Session) -> String {
    let state = match () {
        () if session.is_at_end() => "at rest",
        () if !session.is_playing() => "paused",
        () if rate <= 0.0 => "held to be seen",
        () if rate < 0.9 => "slowed to be seen",
        () if rate <= 1.1 => "in real time",
        () => return format!("simulated · fast forward ×{rate:.1}"),
    };
    format!("simulated · {state}")
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
