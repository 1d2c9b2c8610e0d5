//! What is the visitor's own: taking back, and the seed of chance.

use super::icon::{Glyph, icon};
use super::typed::use_typed;
use crate::session::Command;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct OwnProps {
    /// None: chance plays no part.
    pub seed: Option<u64>,
    pub can_undo: bool,
    pub can_redo: bool,
    pub on_command: Callback<Command>,
    pub on_new_seed: Callback<()>,
}

#[component]
pub fn Own(props: &OwnProps) -> Html {
    let send = |command: Command| {
        props
            .on_command
            .reform(move |_: MouseEvent| command.clone())
    };
    html! {
        <div class="own">
            { change(props.can_undo, Glyph::Undo, "Undo", "Undo (Ctrl+Z)", send(Command::Undo)) }
            { change(props.can_redo, Glyph::Redo, "Redo", "Redo (Ctrl+Y)", send(Command::Redo)) }
            if let Some(seed) = props.seed {
                <SeedChoice
                    {seed}
                    on_command={props.on_command.clone()}
                    on_new_seed={props.on_new_seed.clone()}
                />
            }
        </div>
    }
}

fn change(
    possible: bool,
    glyph: Glyph,
    label: &'static str,
    title: &'static str,
    onclick: Callback<MouseEvent>,
) -> Html {
    let title = match possible {
        true => title.to_owned(),
        false => format!(
            "{label}: there is nothing to {}",
            label.to_ascii_lowercase()
        ),
    };
    html! {
        <button
            type="button"
            class="step"
            aria-label={label}
            aria-disabled={(!possible).to_string()}
            {title}
            {onclick}
        >
            { icon(glyph) }
        </button>
    }
}

#[derive(PartialEq, Properties)]
struct SeedChoiceProps {
    seed: u64,
    on_command: Callback<Command>,
    on_new_seed: Callback<()>,
}

#[component]
fn SeedChoice(props: &SeedChoiceProps) -> Html {
    let wrong = use_state(|| false);
    let typed = use_typed(props.seed.to_string());
    let left = typed.settle.clone();
    let onchange = {
        let settle = typed.settle;
        let (wrong, on_command) = (wrong.clone(), props.on_command.clone());
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            settle.emit(());
            match input.value().trim().parse::<u64>() {
                Ok(number) => {
                    wrong.set(false);
                    on_command.emit(Command::Seed(number));
                }
                Err(_) => wrong.set(true),
            }
        })
    };
    let onclick = {
        let wrong = wrong.clone();
        props
            .on_new_seed
            .reform(move |_: MouseEvent| wrong.set(false))
    };
    let onblur = left.reform(|_: FocusEvent| ());
    html! {
        <span class="seed">
            <label>
                { "Seed" }
                <input
                    type="text"
                    inputmode="numeric"
                    maxlength="20"
                    title="The same seed gives the same chances. The default lets every upgrade of the script succeed."
                    aria-describedby={wrong.then_some("seed-wrong")}
                    value={typed.value}
                    oninput={typed.oninput}
                    {onblur}
                    {onchange}
                />
            </label>
            <button type="button" class="toggle" title="A seed drawn by chance: now upgrades may fail" {onclick}>
                { "New seed" }
            </button>
            if *wrong {
                <span id="seed-wrong" class="wrong" role="alert">
                    { "A seed is a whole number from 0 to 18446744073709551615. The old one stays." }
                </span>
            }
        </span>
    }
}
