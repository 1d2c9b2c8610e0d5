//! The keyboard: one table for what a key does and for the sheet that says so.

use super::transport::SPEEDS;
use crate::session::{Command, Direction, Pace, Session, Stride};
use yew::prelude::*;

/// What a key asks for: something of the session, or of the page around it.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    Command(Command),
    /// Open or close the sheet of keys.
    Sheet,
    /// Stop following.
    LetGo,
    /// To the console.
    Console,
}

/// A line of the sheet.
const SHEET: [(&str, &str); 14] = [
    ("Space", "Play or pause"),
    ("Shift + Space", "Play backwards"),
    ("N", "Next step of the story"),
    ("B", "Back to the step before"),
    ("→  ←", "One fact forward or back"),
    ("Shift + →  ←", "One reconcile forward or back"),
    ("1 … 9", "The beginning of a scene"),
    ("+  −", "Faster or slower"),
    ("T", "True time on or off"),
    ("C", "To the console; Esc leaves it"),
    ("Ctrl + Z", "Undo"),
    ("Ctrl + Y", "Redo"),
    ("Esc", "Stop following"),
    ("?", "This sheet"),
];

/// The wish of a key press, if it is one. `letters`: may single characters do something?
pub fn wish(event: &web_sys::KeyboardEvent, session: &Session, letters: bool) -> Option<Wish> {
    let shift = event.shift_key();
    let control = event.ctrl_key() || event.meta_key();
    if event.alt_key() {
        return None;
    }
    let command = match event.key().as_str() {
        "z" if control && !shift => Command::Undo,
        "z" | "Z" | "y" if control => Command::Redo,
        _ if control => return None,
        "Escape" => return Some(Wish::LetGo),
        "ArrowRight" if shift => Command::Step(Stride::Reconcile, Direction::Forward),
        "ArrowLeft" if shift => Command::Step(Stride::Reconcile, Direction::Back),
        "ArrowRight" => Command::Step(Stride::Fact, Direction::Forward),
        "ArrowLeft" => Command::Step(Stride::Fact, Direction::Back),
        " " if session.is_playing() => Command::Pause,
        " " if shift => Command::Play(Direction::Back),
        " " => Command::Play(Direction::Forward),
        _ if !letters => return None,
        "?" => return Some(Wish::Sheet),
        "c" | "C" => return Some(Wish::Console),
        "n" | "N" => Command::Step(Stride::Beat, Direction::Forward),
        "b" | "B" => Command::Step(Stride::Beat, Direction::Back),
        "t" | "T" => Command::Pace(match session.pace() {
            Pace::Tempo => Pace::TrueTime,
            Pace::TrueTime => Pace::Tempo,
        }),
        "+" => Command::Speed(faster(session.speed())),
        "-" | "−" => Command::Speed(slower(session.speed())),
        key => match key.parse::<usize>() {
            Ok(scene @ 1..) if key.len() == 1 => Command::Scene(scene - 1),
            _ => return None,
        },
    };
    Some(Wish::Command(command))
}

fn faster(speed: f64) -> f64 {
    SPEEDS
        .into_iter()
        .find(|&other| other > speed)
        .unwrap_or(speed)
}

fn slower(speed: f64) -> f64 {
    SPEEDS
        .into_iter()
        .rfind(|&other| other < speed)
        .unwrap_or(speed)
}

#[derive(PartialEq, Properties)]
pub struct SheetProps {
    pub letters: bool,
    pub on_letters: Callback<bool>,
    pub on_close: Callback<()>,
}

/// The sheet of keys: a dialog, so that the browser keeps the focus in it and Escape closes it.
#[component]
pub fn Sheet(props: &SheetProps) -> Html {
    let dialog = use_node_ref();
    use_effect_with((), {
        let dialog = dialog.clone();
        move |()| {
            if let Some(dialog) = dialog.cast::<web_sys::HtmlDialogElement>() {
                // It is shown already, which is as good.
                let _ = dialog.show_modal();
            }
        }
    });
    let letters = props.letters;
    let toggle = props.on_letters.reform(move |_: Event| !letters);
    let close = props.on_close.reform(|_: MouseEvent| ());
    let closed = props.on_close.reform(|_: Event| ());
    html! {
        <dialog class="keys" ref={dialog} aria-labelledby="keys-title" onclose={closed}>
            <h2 id="keys-title">{ "Keys" }</h2>
            <dl>
                { for SHEET.iter().map(|(key, what)| html! {
                    <div><dt><kbd>{ *key }</kbd></dt><dd>{ *what }</dd></div>
                }) }
            </dl>
            <label><input type="checkbox" checked={letters} onchange={toggle} />{ " Single keys do something (N, B, T, C, 1 … 9, + , −, ?)" }</label>
            <button type="button" class="go" onclick={close}>{ "Close" }</button>
        </dialog>
    }
}
