//! What if: the run's knobs, and what turning one changed.

use crate::engine::fixed::fixed;
use crate::engine::knobs::{ControllerKind, Knobs};
use crate::frame::Counters;
use crate::scene::knob::{Choice, Field, KNOBS, Knob, Number, WhatIf};
use crate::session::{Command, OUTLOOK_MAX, Outlook};
use crate::ui::typed::{Typed, use_typed};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct WhatIfsProps {
    pub knobs: Rc<Knobs>,
    /// As the scene opens.
    pub usual: Knobs,
    pub before: Option<Outlook>,
    pub now: Outlook,
    pub on_command: Callback<Command>,
}

#[component]
pub fn WhatIfs(props: &WhatIfsProps) -> Html {
    let on_knobs = props
        .on_command
        .reform(|knobs: Knobs| Command::Knobs(Box::new(knobs)));
    let what_ifs = WhatIf::of(props.knobs.controller).iter();
    let presets = what_ifs.clone().map(|what_if| {
        let chosen = what_if.is_chosen(&props.knobs);
        let knobs = what_if.toggle(&props.knobs);
        let onclick = on_knobs.reform(move |_: MouseEvent| knobs.clone());
        html! {
            <button type="button" class="toggle" aria-pressed={chosen.to_string()} title={what_if.lesson} {onclick}>
                { what_if.label() }
            </button>
        }
    });
    let reset = on_knobs.reform({
        let usual = props.usual.clone();
        move |_: MouseEvent| usual.clone()
    });
    let unchanged = *props.knobs == props.usual;
    let lessons = what_ifs.filter(|what_if| what_if.is_chosen(&props.knobs));
    let fields = KNOBS
        .iter()
        .enumerate()
        .filter(|(_, knob)| knob.matters(&props.knobs))
        .map(|(id, knob)| {
            html! { <KnobField key={id} {id} knobs={props.knobs.clone()} on_knobs={on_knobs.clone()} name={knob.name} /> }
        });
    html! {
        <div class="what-if" data-testid="what-if">
            <div class="presets" role="group" aria-label="What if">
                { for presets }
                <button
                    type="button"
                    aria-disabled={unchanged.to_string()}
                    title="All knobs as the scene opens, the queue too"
                    onclick={reset}
                >
                    { "Reset knobs" }
                </button>
            </div>
            <Change controller={props.knobs.controller} before={props.before} now={props.now} />
            { for lessons.map(|what_if| html! { <p class="lesson">{ what_if.lesson }</p> }) }
            <div class="knobs">{ for fields }</div>
        </div>
    }
}

#[derive(PartialEq, Properties)]
pub struct KnobFieldProps {
    /// Its place in `KNOBS`.
    pub id: usize,
    pub name: &'static str,
    pub knobs: Rc<Knobs>,
    pub on_knobs: Callback<Knobs>,
    /// Does it set the run beside? Then Kubernetes' default is not said again.
    #[prop_or_default]
    pub beside: bool,
}

/// One knob, to be turned.
#[component]
pub fn KnobField(props: &KnobFieldProps) -> Html {
    let wrong = use_state(|| None::<String>);
    let knob = &KNOBS[props.id];
    let typed = use_typed(match &knob.field {
        Field::Number(number) => number.text(&props.knobs),
        Field::Choice(_) => String::new(),
    });
    let id = format!(
        "{}-{}",
        if props.beside { "beside" } else { "knob" },
        props.id
    );
    let field = match &knob.field {
        Field::Choice(choices) => choice(props, knob, &id, choices),
        Field::Number(number) => {
            let (on_knobs, knobs, wrong) =
                (props.on_knobs.clone(), props.knobs.clone(), wrong.clone());
            let settle = typed.settle.clone();
            let onchange = Callback::from(move |event: Event| {
                let input = event.target_unchecked_into::<HtmlInputElement>();
                settle.emit(());
                match number.parse(&input.value(), &knobs) {
                    Ok(changed) => {
                        wrong.set(None);
                        on_knobs.emit(changed);
                    }
                    Err(why) => wrong.set(Some(why)),
                }
            });
            number_field(knob, number, &id, typed, onchange)
        }
    };
    html! {
        <div class="knob">
            <label for={id.clone()} title={knob.says}>{ props.name }</label>
            { field }
            <small id={format!("{id}-default")} class={props.beside.then_some("visually-hidden")}>
                { "Kubernetes: " }{ knob.default }
            </small>
            if let Some(why) = &*wrong {
                <small class="wrong" role="alert">{ "Not changed: " }{ why }</small>
            }
        </div>
    }
}

fn number_field(
    knob: &Knob,
    number: &'static Number,
    id: &str,
    typed: Typed,
    onchange: Callback<Event>,
) -> Html {
    html! {
        <span class="number">
            <input
                id={id.to_owned()}
                type="number"
                inputmode="decimal"
                min={number.min.to_string()}
                max={number.max.to_string()}
                step="any"
                title={format!("{} ({} to {} {})", knob.says, number.min, number.max, number.unit)}
                aria-describedby={format!("{id}-default")}
                value={typed.value}
                oninput={typed.oninput}
                onblur={typed.settle.reform(|_: FocusEvent| ())}
                {onchange}
            />
            <span class="unit">{ number.unit }</span>
        </span>
    }
}

fn choice(props: &KnobFieldProps, knob: &Knob, id: &str, choices: &'static [Choice]) -> Html {
    let (on_knobs, knobs) = (props.on_knobs.clone(), props.knobs.clone());
    let known = choices.iter().any(|choice| choice.is_chosen(&props.knobs));
    let onchange = Callback::from(move |event: Event| {
        let chosen = event.target_unchecked_into::<HtmlSelectElement>().value();
        if let Some(choice) = choices.iter().find(|choice| choice.label == chosen) {
            on_knobs.emit(choice.choose(&knobs));
        }
    });
    let options = choices.iter().map(|choice| {
        html! {
            <option value={choice.label} selected={choice.is_chosen(&props.knobs)}>{ choice.label }</option>
        }
    });
    html! {
        <select id={id.to_owned()} title={knob.says} aria-describedby={format!("{id}-default")} {onchange}>
            if !known {
                <option selected=true disabled=true>{ "another" }</option>
            }
            { for options }
        </select>
    }
}

#[derive(PartialEq, Properties)]
struct ChangeProps {
    controller: ControllerKind,
    before: Option<Outlook>,
    now: Outlook,
}

/// The counters at the end of the run, before and after.
#[component]
fn Change(props: &ChangeProps) -> Html {
    let rows = rows(props.controller);
    let rows = rows.map(|&(name, get)| {
        let now = get(&props.now.counters);
        let before = props.before.map(|before| get(&before.counters));
        let class = before
            .is_some_and(|before| before != now)
            .then_some("changed");
        html! {
            <tr {class} data-row={name}>
                <th scope="row">{ name }</th>
                if props.before.is_some() {
                    <td class="mono">{ before }</td>
                }
                <td class="mono"><b>{ now }</b></td>
                if props.before.is_some() {
                    <td class="mono">{ difference(before, now) }</td>
                }
            </tr>
        }
    });
    html! {
        <div class="change" role="status">
            <table>
                <caption>
                    { if props.before.is_some() { "The whole run, before the last change of knobs and now" } else { "The whole run, to its end" } }
                </caption>
                <thead>
                    <tr>
                        <td></td>
                        if props.before.is_some() { <th scope="col">{ "before" }</th> }
                        <th scope="col">{ "now" }</th>
                        if props.before.is_some() { <th scope="col">{ "difference" }</th> }
                    </tr>
                </thead>
                <tbody>{ for rows }</tbody>
            </table>
            <p>{ end(props.before, props.now) }</p>
        </div>
    }
}

type Get = fn(&Counters) -> u32;

/// The counters that a chapter is about.
fn rows(controller: ControllerKind) -> impl Iterator<Item = &'static (&'static str, Get)> {
    let writes: &[_] = match controller {
        ControllerKind::Database => &[],
        ControllerKind::ConfigMap => &WRITES,
    };
    ROWS.iter().chain(writes)
}

static WRITES: [(&str, Get); 3] = [
    ("updates taken", |counters| counters.writes),
    ("updates refused", |counters| counters.failed_writes),
    ("lists and watches", |counters| counters.requests),
];

static ROWS: [(&str, Get); 5] = [
    ("reconciles", |counters| counters.reconciles),
    ("events", |counters| counters.events),
    ("merged", |counters| counters.merged),
    ("retries", |counters| counters.retries),
    ("lost", |counters| counters.dropped),
];

fn difference(before: Option<u32>, now: u32) -> String {
    match i64::from(now) - i64::from(before.unwrap_or(now)) {
        0 => "same".to_owned(),
        more @ 1.. => format!("+{more}"),
        less => format!("−{}", -less),
    }
}

/// When the run comes to rest, if it does.
fn end(before: Option<Outlook>, now: Outlook) -> String {
    let text = |outlook: Outlook| {
        let at = |places| fixed(outlook.end.as_secs_f64(), places);
        if outlook.rests {
            format!("at rest at {} s", at(3))
        } else if outlook.whole {
            format!("never at rest (counted up to {} s)", at(0))
        } else {
            format!("not at rest after {OUTLOOK_MAX} facts (at {} s)", at(0))
        }
    };
    let (now, before) = (text(now), before.map(text));
    match before {
        None => format!("The run is {now}."),
        Some(before) if before == now => format!("The run is {now}, as before."),
        Some(before) => format!("The run is {now}; before, it was {before}."),
    }
}
