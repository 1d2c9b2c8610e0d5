//! The console's part in the page: what is typed there changes the run, as a button does.

use super::{App, Msg, Root, later};
use crate::session::Command;
use crate::ui::console::Wish;
use yew::prelude::*;

impl App {
    /// Does a command. One that a button stands for is written into the console.
    pub(super) fn command(&mut self, command: Command) {
        let changes = command.changes_the_run();
        self.changing(|app| {
            match command {
                Command::Do(stimulus) => app.console.shell.press(stimulus, &mut app.session),
                command => app.session.apply(command),
            }
            changes
        });
    }

    /// Somebody does something at the console.
    pub(super) fn at_console(&mut self, ctx: &Context<Root>, wish: Wish) {
        let heard = ctx
            .link()
            .callback(|heard| Msg::Console(Wish::Heard(heard)));
        match wish {
            Wish::Enter | Wish::Heard(_) => {
                self.changing(|app| {
                    let before = app.session.run().stimuli().to_vec();
                    app.console.take(wish, &mut app.session, &heard);
                    app.session.run().stimuli() != before
                });
            }
            wish => self.console.take(wish, &mut self.session, &heard),
        }
    }

    /// To the console, from anywhere.
    pub(super) fn open_console(&mut self) {
        self.panel = later::CONSOLE;
        self.console.come();
    }
}
