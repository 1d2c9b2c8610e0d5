//! Predict: a scene's question, asked before it is shown.

use crate::scene::{Answers, Question};
use yew::prelude::*;

/// What a visitor did with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    Option(usize),
    Skipped,
}

#[derive(PartialEq, Properties)]
pub struct AskProps {
    pub question: Question,
    pub answers: Answers,
    pub guess: Option<Guess>,
    /// Has the run shown the answer?
    pub shown: bool,
    pub on_guess: Callback<Guess>,
}

#[component]
pub fn Ask(props: &AskProps) -> Html {
    let Answers { options, right } = &props.answers;
    let guessed = match props.guess {
        Some(Guess::Skipped) => return html! {},
        // Too late to predict what has been seen.
        None if props.shown => return html! {},
        Some(Guess::Option(guessed)) => Some(guessed),
        None => None,
    };
    let long = options.iter().any(|option| option.len() > 8);
    let buttons = options.iter().enumerate().map(|(index, option)| {
        let mine = guessed == Some(index);
        let verdict = (props.shown && index == *right).then_some("right");
        let onclick = props
            .on_guess
            .reform(move |_: MouseEvent| Guess::Option(index));
        html! {
            <button
                type="button"
                class={classes!(verdict)}
                aria-pressed={mine.to_string()}
                aria-disabled={props.shown.then_some("true")}
                onclick={(!props.shown).then_some(onclick)}
            >
                { option }
                if verdict.is_some() { <span class="tick">{ " ✓" }</span> }
            </button>
        }
    });
    let result = match guessed {
        Some(guessed) if props.shown && guessed == *right => Some("As you predicted.".to_owned()),
        Some(_) if props.shown => Some(format!("The run says: {}.", options[*right])),
        Some(_) => Some("Noted. Go on and see.".to_owned()),
        None => None,
    };
    let skip = props.on_guess.reform(|_: MouseEvent| Guess::Skipped);
    html! {
        <div class="ask" role="group" aria-label="Predict">
            <p>{ props.question.words }</p>
            <div class={classes!("opts", long.then_some("long"))}>{ for buttons }</div>
            if let Some(result) = result {
                <p class="result" role="status">{ result }</p>
            } else {
                <button type="button" class="quiet" title="Go on without an answer" onclick={skip}>{ "Skip" }</button>
            }
        </div>
    }
}
