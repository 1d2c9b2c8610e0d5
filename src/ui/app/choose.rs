//! What a visitor asks for less often than to go on. The program's first part does without it.

use super::{App, Msg, Root, show_theme};
use crate::session::Command;
use crate::ui::browser;
use crate::ui::keys::{self, Wish};
use yew::prelude::*;

impl App {
    /// Is there anything to be drawn after it?
    #[inline(never)]
    pub(super) fn choose(&mut self, ctx: &Context<Root>, msg: Msg) -> bool {
        match msg {
            // Seen to before.
            Msg::Moved | Msg::Command(_) | Msg::Lane(_) | Msg::Sight(_) => {}
            Msg::Told(step) => self.changing(|app| {
                app.session.tell_step(step);
                false
            }),
            Msg::NewSeed => {
                // Short enough to be read out, long enough to be new.
                if let Ok(drawn) = getrandom::u32() {
                    self.command(Command::Seed(u64::from(drawn) % 1_000_000));
                }
            }
            Msg::Chapter(chapter) => self.turn_to(chapter),
            Msg::Theme(theme) => {
                self.theme = theme;
                browser::keep("theme", theme.word());
                show_theme(theme);
            }
            Msg::Skin(skin) => {
                self.skin = (skin, Some(self.place()));
                browser::keep("skin", skin.id);
            }
            Msg::Resource(resource) => self.resource = resource,
            Msg::Panel(panel) => self.panel = panel,
            Msg::Window(window) => self.window = window,
            Msg::Share(share) => self.share = share,
            Msg::Export(export) => self.export(export),
            Msg::Open(fragment) => self.open(&fragment),
            Msg::Dismiss => self.notice = None,
            Msg::Whole => {
                self.whole = true;
                self.refresh();
            }
            Msg::Guess(guess) => {
                self.guesses.insert(self.session.scene(), guess);
            }
            Msg::Follow(follow) => self.follow(follow),
            Msg::Key(event) => {
                let Some(wish) = keys::wish(&event, &self.session, self.letters) else {
                    return false;
                };
                event.prevent_default();
                match wish {
                    Wish::Command(command) => self.command(command),
                    Wish::Sheet => self.sheet = !self.sheet,
                    Wish::LetGo => self.follow(None),
                    Wish::Console => self.open_console(),
                }
            }
            Msg::Sheet(open) => self.sheet = open,
            Msg::Letters(letters) => {
                self.letters = letters;
                browser::keep("letters", if letters { "on" } else { "off" });
            }
            Msg::Console(ask) => self.at_console(ctx, ask),
        }
        true
    }
}
