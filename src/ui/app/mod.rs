//! The application: a session, and what is open on the page.
//!
//! The program comes in two parts (docs/performance.md). What is seen and done before the second has come is here and
//! in `page`, `moving`; what comes with it is drawn by `later` and done by `choose`.

mod choose;
mod console;
mod follow;
mod later;
mod moving;
mod page;
mod root;
mod skin;
mod visit;

use super::address::{self, Address, Place};
use super::ask::Guess;
use super::browser::{self, Keyboard, document};
use super::console::{Console, Wish};
use super::header::{self, Theme};
use super::motion::{FrameLoop, prefers_still};
use super::share::{self, Export};
use super::sight::Sight;
use super::stage::Painter;
use super::tale;
use super::timeline::{Plot, Window};
use crate::engine::key::Keys;
use crate::engine::sorted::Map;
use crate::engine::workqueue::MetricsView;
use crate::frame::{Follow, Life};
use crate::scene::{Skin, Station};
use crate::session::{Command, Session};
use moving::{Cursor, Readout};
pub use root::Root;
use skin::recalled_skin;
use std::cell::Cell;
use std::rc::Rc;
use visit::Visit;
use yew::html::Scope;
use yew::prelude::*;

pub enum Msg {
    Command(Command),
    /// A frame has brought something about that is drawn anew.
    Moved,
    /// A step of the scene that is told.
    Told(usize),
    NewSeed,
    /// A chapter, by its place in [`CHAPTERS`](crate::scene::CHAPTERS).
    Chapter(usize),
    Theme(Theme),
    /// Tell it in these words.
    Skin(&'static Skin),
    Resource(&'static str),
    Panel(usize),
    Window(Option<Window>),
    Guess(Guess),
    Follow(Option<Follow>),
    Key(web_sys::KeyboardEvent),
    Sheet(bool),
    Letters(bool),
    /// The lane that is pointed at, or reached by keyboard.
    Lane(Station),
    Share(bool),
    Export(Export),
    /// A link was put into the address bar.
    Open(String),
    /// The notice was read.
    Dismiss,
    /// The page came into sight, or went out of it.
    Sight(bool),
    /// The rest of the program has come.
    Whole,
    Console(Wish),
}

/// The page.
pub struct App {
    session: Session,
    /// The visits to other chapters, as they were left.
    away: Vec<Visit>,
    frames: FrameLoop,
    painter: Painter,
    theme: Theme,
    /// The words that were chosen last, and where: there they go before the scene's own.
    skin: (&'static Skin, Option<Place>),
    resource: &'static str,
    panel: usize,
    /// The stretch of the timeline that the visitor chose; none follows the scene.
    window: Option<Window>,
    plot: Rc<Plot>,
    keys: Rc<Keys>,
    clock: Readout,
    rate: Readout,
    cursor: Cursor,
    /// The row of tabs and the list of beats, and what they were last scrolled to.
    tabs: NodeRef,
    beats: NodeRef,
    told: Cell<Option<(Place, usize)>>,
    /// Was the keyboard somewhere on the page when something was asked for?
    focused: Cell<bool>,
    /// What the visitor predicted, by scene.
    guesses: Map<usize, Guess>,
    follow: Option<(Follow, Rc<Life>)>,
    /// Of the stage beside, where two runs are compared.
    painter_beside: Painter,
    /// Is the sheet of keys open?
    sheet: bool,
    /// Do single characters do something?
    letters: bool,
    share: bool,
    lane: Option<Station>,
    /// Something to be told: a link that cannot be read, a file that cannot be made.
    notice: Option<String>,
    address: Address,
    in_sight: bool,
    /// Is the rest of the program there? Until then only the first scene's part is drawn (static/boot.js).
    whole: bool,
    console: Console,
    /// As they were measured last while they were shown.
    metrics: Option<MetricsView>,
    /// Held as long as the page lives.
    _keyboard: Keyboard,
    _sight: Sight,
}

impl App {
    fn new(link: &Scope<Root>, frames: FrameLoop) -> App {
        let (session, notice) = visit::open(&address::fragment());
        let theme = browser::recall("theme").map_or(Theme::System, |word| Theme::from_word(&word));
        show_theme(theme);
        let (painter, painter_beside) = (Painter::default(), Painter::default());
        painter.set_still(prefers_still());
        painter_beside.set_still(prefers_still());
        let place = visit::place(&session);
        let mut app = App {
            plot: Rc::default(),
            keys: Rc::new(session.run().keys().clone()),
            resource: session.chapter().resources[0],
            session,
            away: Vec::new(),
            frames,
            painter,
            theme,
            skin: (recalled_skin(), None),
            panel: 0,
            window: None,
            clock: Readout::default(),
            rate: Readout::default(),
            cursor: Cursor::default(),
            tabs: NodeRef::default(),
            beats: NodeRef::default(),
            told: Cell::new(None),
            focused: Cell::new(false),
            guesses: Map::new(),
            follow: None,
            painter_beside,
            sheet: false,
            letters: browser::recall("letters").as_deref() != Some("off"),
            share: false,
            lane: None,
            notice,
            address: Address::new(place, link.callback(Msg::Open)),
            in_sight: true,
            whole: browser::when_whole(link.callback(|()| Msg::Whole)),
            console: Console::default(),
            metrics: None,
            _keyboard: Keyboard::listen(link.callback(Msg::Key)),
            _sight: Sight::watch(link.callback(Msg::Sight)),
        };
        app.refresh();
        app
    }

    /// Is the page to be drawn anew?
    fn update(&mut self, ctx: &Context<Root>, msg: Msg) -> bool {
        if let Msg::Moved = msg {
            return true;
        }
        self.focused.set(browser::has_focus());
        match msg {
            Msg::Command(command) => self.command(command),
            Msg::Lane(lane) => {
                let known = self.lane.replace(lane) == Some(lane);
                return !known;
            }
            Msg::Sight(in_sight) => {
                self.in_sight = in_sight;
                self.keep_moving();
                return false;
            }
            msg => {
                if !self.choose(ctx, msg) {
                    return false;
                }
            }
        }
        if self.whole {
            self.console.look(&self.session);
        }
        self.keep_moving();
        self.write_address();
        true
    }

    fn rendered(&mut self) {
        self.find_readouts();
        self.write();
        let told = Some((self.place(), self.session.step()));
        if self.told.replace(told) != told {
            header::keep_in_sight(&self.tabs);
            tale::keep_in_sight(&self.beats);
        }
        if self.focused.take() && !browser::has_focus() {
            // What was pressed is gone.
            browser::focus(".go");
        }
        let ready = if self.whole {
            self.console.drawn();
            "true"
        } else {
            "first"
        };
        let _ = browser::root().set_attribute("data-ready", ready);
    }

    /// Lets something happen to the session, which says whether its run is another one now.
    fn changing(&mut self, change: impl FnOnce(&mut App) -> bool) {
        let followed = self.followed_record();
        let looked_at = |session: &Session| {
            let played = session.run().played();
            (played, session.scene(), session.telling())
        };
        let before = looked_at(&self.session);
        self.notice = None;
        let changes = change(self);
        self.refresh();
        if changes {
            // What was predicted was predicted of another run.
            self.guesses = Map::new();
            self.hold_in_address();
        }
        self.follow_on(followed, changes || looked_at(&self.session) != before);
    }

    /// The run may be another one now.
    fn refresh(&mut self) {
        if self.whole {
            self.plot_anew();
        }
        let keys = self.session.run().keys();
        if *keys != *self.keys {
            let before = std::mem::replace(&mut self.keys, Rc::new(keys.clone()));
            if self.follow.is_some() {
                self.follow_by_name(&before);
            }
        }
    }

    #[inline(never)]
    fn plot_anew(&mut self) {
        let plot = Plot::new(&self.session);
        if plot != *self.plot {
            self.plot = Rc::new(plot);
        }
    }

    /// A frame has passed: write what moved. Is something to be drawn anew, since a fact has happened?
    fn frame(&mut self, passed: f64) -> bool {
        let reached = |session: &Session| {
            let beside = session.beside().map(|(_, picture)| picture.view.applied);
            let applied = (session.picture().view.applied, beside);
            (applied, session.scene(), session.step())
        };
        let played = self.session.run().played();
        let known = self.session.tempo().facts();
        let before = reached(&self.session);
        self.session.advance(passed);
        let moved = reached(&self.session) != before;
        if moved && self.whole {
            self.console.look(&self.session);
        }
        if self.session.scene() != before.1 || self.session.tempo().facts() != known {
            self.refresh();
        }
        if self.session.run().played() != played {
            self.renew_life();
        }
        if !self.session.is_playing() {
            self.write_address();
            return true;
        }
        self.write();
        let measured = later::shows_metrics(self.panel) && self.measure();
        moved || measured
    }

    /// Two of the metrics are refreshed by time alone. Are they others than before?
    #[inline(never)]
    fn measure(&mut self) -> bool {
        let metrics = self.session.metrics();
        std::mem::replace(&mut self.metrics, metrics) != self.metrics
    }

    /// The loop runs while something moves in sight, and only then.
    fn keep_moving(&self) {
        if self.is_moving() {
            self.frames.wake();
        }
    }

    fn is_moving(&self) -> bool {
        self.session.is_playing() && self.in_sight
    }

    /// The address bar holds the run wherever it stands still.
    fn write_address(&self) {
        if self.whole && !self.session.is_playing() {
            self.hold_in_address();
        }
    }

    fn hold_in_address(&self) {
        let link = self.session.link().to_string();
        self.address.write(link, self.place());
    }

    fn export(&mut self, export: Export) {
        let made = match export {
            Export::JsonLines => share::save(
                "loopscope.jsonl",
                "application/jsonl",
                &self.session.json_lines(),
            ),
            Export::Trace => share::save(
                "loopscope-trace.json",
                "application/json",
                &self.session.trace(),
            ),
        };
        if made.is_err() {
            self.notice = Some("The browser refused to make the file.".to_owned());
        }
    }

    fn window(&self) -> Window {
        let (from, to) = self.plot.scene;
        self.window.unwrap_or(Window { from, to })
    }
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
