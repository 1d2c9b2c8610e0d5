//! Code in step: the reconcile function, the section that a worker is in, and this run's values.

use super::HandNow;
use crate::engine::controller::Section;
use crate::engine::knobs::Knobs;
use crate::scene::code::{Block, Language, purpose};
use crate::session::{Breakpoints, Command};
use crate::ui::browser;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct CodeProps {
    /// Of the world whose function it is.
    pub knobs: Rc<Knobs>,
    pub now: Option<HandNow>,
    pub breakpoints: Breakpoints,
    /// The breakpoint at which playing has stopped.
    pub stopped_at: Option<Section>,
    pub on_command: Callback<Command>,
}

#[component]
pub fn Code(props: &CodeProps) -> Html {
    let language = use_state(|| {
        let kept = browser::recall("language");
        let named = |language: &Language| Some(language.name()) == kept.as_deref();
        Language::ALL.into_iter().find(named).unwrap_or_default()
    });
    let list = use_node_ref();
    let section = props.now.as_ref().map(|now| now.hand.section);
    use_effect_with((section, *language), {
        let list = list.clone();
        move |_| keep_in_sight(&list)
    });
    let tabs = Language::ALL.into_iter().map(|choice| {
        let chosen = language.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            browser::keep("language", choice.name());
            chosen.set(choice);
        });
        html! {
            <button
                type="button"
                aria-pressed={(*language == choice).to_string()}
                title={format!("Read it in {}; the choice is kept", choice.name())}
                {onclick}
            >
                { choice.name() }
            </button>
        }
    });
    let held = props.now.as_ref().map(|now| {
        let of_many = match now.workers {
            1 => String::new(),
            many => format!(", worker {} of {many}", now.worker + 1),
        };
        format!("Reconcile #{} of {}{of_many}", now.hand.n, now.key)
    });
    let held = held.unwrap_or("No worker holds a key: nothing is being reconciled.".to_owned());
    let state = match props.stopped_at {
        Some(section) => format!("Stopped at: {}. {held}", purpose(section)),
        None => held,
    };
    let listing = language.listing(&props.knobs);
    let blocks = listing.iter().map(|block| block_of(props, block));
    html! {
        <div class="code-panel" data-testid="code">
            <div class="code-head">
                <span class="seg" role="group" aria-label="Language">{ for tabs }</span>
                <span class={classes!("where", props.stopped_at.map(|_| "stopped"))} role="status">{ state }</span>
            </div>
            <div class="listing" ref={list} tabindex="0" role="region" aria-label={format!("Reconcile in {}", language.name())}>
                { for blocks }
                <p class="remark">{ language.remark(props.knobs.controller) }</p>
            </div>
        </div>
    }
}

fn block_of(props: &CodeProps, block: &Block) -> Html {
    let Some(section) = block.section else {
        return html! {
            <div class="block around"><span class="gutter"></span><pre class="mono">{ block.code }</pre></div>
        };
    };
    let current = props
        .now
        .as_ref()
        .is_some_and(|now| now.hand.section == section);
    let set = props.breakpoints.has(section);
    let name = format!("Stop at: {}", purpose(section));
    let onclick = props
        .on_command
        .reform(move |_: MouseEvent| Command::Breakpoint(section, !set));
    let values = props
        .now
        .as_ref()
        .map(|now| now.values(section))
        .unwrap_or_default();
    html! {
        <div class={classes!("block", current.then_some("on"))} aria-current={current.then_some("step")}>
            <button
                type="button"
                class="gutter"
                aria-pressed={set.to_string()}
                aria-label={name.clone()}
                title={if set { format!("{name} (set; press to remove)") } else { format!("{name} (playing halts there)") }}
                {onclick}
            >
                <svg viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="4.5" /></svg>
            </button>
            <pre class="mono">{ block.code }</pre>
            <ul class="values" aria-label={format!("This run: {}", purpose(section))}>
                { for values.into_iter().map(|value| html! { <li>{ value }</li> }) }
            </ul>
        </div>
    }
}

/// Scroll the listing, and nothing else, so that the current section is seen from its beginning.
fn keep_in_sight(list: &NodeRef) {
    let Some(list) = list.cast::<web_sys::HtmlElement>() else {
        return;
    };
    let now = list.query_selector(".on").ok().flatten();
    if let Some(now) =
        now.and_then(|now| wasm_bindgen::JsCast::dyn_into::<web_sys::HtmlElement>(now).ok())
    {
        // Places are counted from the listing, which is positioned.
        let (top, height) = (now.offset_top(), now.offset_height());
        let seen =
            top >= list.scroll_top() && top + height <= list.scroll_top() + list.client_height();
        if !seen {
            list.set_scroll_top(top);
        }
    }
}
