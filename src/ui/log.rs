//! The log, in the shape in which the article's program prints it.

use crate::engine::fixed::fixed;
use crate::engine::key::Keys;
use crate::engine::record::{Record, RecordId};
use crate::frame::Life;
use crate::session::Run;
use std::rc::Rc;
use yew::prelude::*;

/// Lines that are kept on the page.
const LINES: usize = 60;

/// A line of the log.
#[derive(Clone, PartialEq)]
pub struct Line {
    pub id: u32,
    pub at: String,
    pub text: String,
}

/// The last lines that the first `applied` facts left.
pub fn lines(run: &Run, applied: u32, keys: &Keys) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut next: Option<Record> = None;
    for record in run.facts(..applied as usize).rev() {
        if lines.len() == LINES {
            break;
        }
        if let Some(text) = record.log_line(keys, next.as_ref()) {
            let at = fixed(record.at.as_secs_f64(), 3).to_string();
            lines.push(Line {
                id: record.id,
                at,
                text,
            });
        }
        next = Some(record);
    }
    lines.reverse();
    lines
}

#[derive(PartialEq, Properties)]
pub struct LogProps {
    pub lines: Vec<Line>,
    /// What is followed: other lines step back.
    pub lit: Option<Rc<Life>>,
    pub on_follow: Callback<RecordId>,
}

#[component]
pub fn Log(props: &LogProps) -> Html {
    let list = use_node_ref();
    use_effect_with(props.lines.last().map(|line| line.id), {
        let list = list.clone();
        move |_| {
            if let Some(list) = list.cast::<web_sys::Element>() {
                list.set_scroll_top(list.scroll_height());
            }
        }
    });
    let lines = props.lines.iter().map(|line| {
        let (source, rest) = line.text.split_once(']').unwrap_or(("", &line.text));
        let class = match source.trim_start_matches('[').split(' ').next() {
            Some("etcd") => "from-store",
            Some("watch") => "from-watch",
            Some("queue") => "from-queue",
            Some("reconcile") if rest.contains("ERROR") => "from-recon bad",
            Some("reconcile") => "from-recon",
            _ => "from-loop",
        };
        let id = line.id;
        let lit = props
            .lit
            .as_ref()
            .map(|life| if life.holds(id) { "lit" } else { "unlit" });
        let onclick = props.on_follow.reform(move |_: MouseEvent| id);
        html! {
            <li key={line.id} class={classes!(class, lit)}>
                <button type="button" title="Follow this" {onclick}>
                    <time>{ &line.at }</time><b>{ source }{ "]" }</b><span>{ rest }</span>
                </button>
            </li>
        }
    });
    html! {
        <div
            class="log"
            role="log"
            aria-label="Log"
            aria-live="off"
            tabindex="0"
            data-testid="log"
            ref={list}
        >
            if props.lines.is_empty() {
                <p class="empty">{ "Nothing has happened yet." }</p>
            } else {
                <ol>{ for lines }</ol>
            }
        </div>
    }
}
