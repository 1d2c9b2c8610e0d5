//! Playing: play and pause, steps, speed, the clock, the counters.

use super::icon::{Glyph, icon};
use crate::engine::decimal::decimal;
use crate::engine::fixed::short;
use crate::frame::Counters;
use crate::session::{Command, Direction, Pace, SPEED_MAX, SPEED_MIN, Stride};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The speeds to choose from.
pub const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0];

#[derive(PartialEq, Properties)]
pub struct TransportProps {
    pub playing: bool,
    pub speed: f64,
    pub pace: Pace,
    pub counters: Counters,
    /// Written by the loop while it moves.
    pub clock: NodeRef,
    pub rate: NodeRef,
    pub on_command: Callback<Command>,
}

#[component]
pub fn Transport(props: &TransportProps) -> Html {
    let send = |command: Command| {
        props
            .on_command
            .reform(move |_: MouseEvent| command.clone())
    };
    let play = if props.playing {
        (Glyph::Pause, "Pause", Command::Pause)
    } else {
        (Glyph::Play, "Play", Command::Play(Direction::Forward))
    };
    let (glyph, label, command) = play;
    let step = |direction| Command::Step(Stride::Fact, direction);
    let stride = |direction| Command::Step(Stride::Reconcile, direction);
    html! {
        <div class="bar">
            <button
                type="button"
                class="play"
                aria-label={label}
                title={format!("{label} (Space)")}
                onclick={send(command)}
            >
                { icon(glyph) }
            </button>
            <span class="group">
                { tool(Glyph::Restart, "Restart", "Back to the beginning, without what you did", send(Command::Restart)) }
                { tool(Glyph::PlayBack, "Play backwards", "Play backwards (Shift+Space)", send(Command::Play(Direction::Back))) }
                { tool(Glyph::ReconcileBack, "Previous reconcile", "One reconcile back (Shift+Left)", send(stride(Direction::Back))) }
                { tool(Glyph::StepBack, "Step back", "One fact back (Left)", send(step(Direction::Back))) }
                { tool(Glyph::StepForward, "Step forward", "One fact forward (Right)", send(step(Direction::Forward))) }
                { tool(Glyph::ReconcileForward, "Next reconcile", "One reconcile forward (Shift+Right)", send(stride(Direction::Forward))) }
            </span>
            <span class="clock" data-testid="clock"><span ref={props.clock.clone()}></span></span>
            <span class="pace" ref={props.rate.clone()}></span>
            { speed_choice(props) }
            { counts(props) }
        </div>
    }
}

fn tool(
    glyph: Glyph,
    label: &'static str,
    title: &'static str,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button type="button" class="step" aria-label={label} {title} {onclick}>{ icon(glyph) }</button>
    }
}

fn speed_choice(props: &TransportProps) -> Html {
    let onchange = props.on_command.reform(|event: Event| {
        let chosen = event.target_unchecked_into::<HtmlSelectElement>().value();
        Command::Speed(decimal(&chosen).unwrap_or(1.0).clamp(SPEED_MIN, SPEED_MAX))
    });
    let options = SPEEDS.into_iter().map(|speed| {
        html! {
            <option value={short(speed, 2).to_string()} selected={speed == props.speed}>{ format!("{}×", short(speed, 2)) }</option>
        }
    });
    let (pressed, other) = match props.pace {
        Pace::Tempo => (false, Pace::TrueTime),
        Pace::TrueTime => (true, Pace::Tempo),
    };
    let toggle = props
        .on_command
        .reform(move |_: MouseEvent| Command::Pace(other));
    html! {
        <>
            <label class="speed">
                <select aria-label="Speed" title="Speed (plus and minus)" {onchange}>{ for options }</select>
            </label>
            <button
                type="button"
                class="toggle"
                aria-pressed={pressed.to_string()}
                title="True time: a simulated second takes a second (T)"
                onclick={toggle}
            >
                { "True time" }
            </button>
        </>
    }
}

fn counts(props: &TransportProps) -> Html {
    let Counters {
        events,
        merged,
        reconciles,
        retries,
        ..
    } = props.counters;
    html! {
        <dl class="counts">
            { count("events", "Events that the watch delivered", "event-count", events) }
            { count("merged", "Events that changed nothing, since the key waited or was marked already", "merged-count", merged) }
            { count("reconciles", "Calls of Reconcile()", "reconcile-count", reconciles) }
            { count("retries", "Errors that were tried again", "retry-count", retries) }
        </dl>
    }
}

fn count(name: &'static str, title: &'static str, testid: &'static str, number: u32) -> Html {
    html! { <div {title}><dt>{ name }</dt><dd data-testid={testid}>{ number }</dd></div> }
}
