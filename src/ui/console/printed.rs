//! What was printed.

use crate::shell::{Part, Said, Tone};
use crate::ui::el::{El, el, el_of};
use std::collections::VecDeque;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct PrintedProps {
    pub said: Rc<VecDeque<Rc<Said>>>,
    /// Was more printed than is kept?
    pub forgotten: bool,
    /// So many words are offered below it, or the editor is open: it has less room then.
    pub below: usize,
    /// Before anything is.
    pub children: Html,
}

/// All that was printed, the latest in view. What is added is read out once, in its turn.
#[component]
pub fn Printed(props: &PrintedProps) -> Html {
    let screen = use_node_ref();
    let latest = props.said.back().map(|said| (said.id, said.parts.len()));
    use_effect_with((latest, props.below), {
        let screen = screen.clone();
        move |_| {
            if let Some(screen) = screen.cast::<web_sys::Element>() {
                screen.set_scroll_top(screen.scroll_height());
                screen.set_scroll_left(0);
            }
        }
    });
    let said: Html = props
        .said
        .iter()
        .map(|said| Html::from(entry(said)))
        .collect();
    html! {
        <div class="printed" role="log" aria-label="What was printed" tabindex="0" data-testid="console" ref={screen}>
            if props.forgotten {
                <p class="empty">{ "Older lines are not kept." }</p>
            }
            if props.said.is_empty() {
                { props.children.clone() }
            }
            { said }
        </div>
    }
}

fn entry(said: &Said) -> El {
    el_of("section", "said")
        .key(said.id)
        .attr("data-n", said.id.to_string())
        .when(!said.line.is_empty(), || {
            el_of("p", "typed")
                .when(!said.at.is_empty(), || el("time").text(said.at.clone()))
                .child(
                    el_of("span", "prompt")
                        .attr("aria-hidden", "true")
                        .text("$ "),
                )
                .child(el("code").text(said.line.clone()))
        })
        .list(said.parts.iter().map(|part| Html::from(printed(part))))
}

fn printed(part: &Part) -> El {
    let class = match part.tone {
        Tone::Out => "out",
        Tone::Err => "err",
        Tone::Watched => "watched",
        Tone::Remark => "remark",
    };
    let text = part.text.to_string();
    match part.tone {
        Tone::Remark => el_of("p", class).text(format!("# {text}")),
        _ => el_of("pre", class).text(text),
    }
}
