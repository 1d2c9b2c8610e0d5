//! The still picture of the lanes, as the page shows it before WebAssembly runs and without it.
//!
//! The same elements and classes as the stage draws when nothing has happened yet, so that the
//! stylesheet lays both out alike, at every width and in both themes, and the application takes
//! over without a jump. A browser test holds the two against each other.
//!
//! Left out on purpose: every other moment. What the page opens with is all that is ever seen of it.

use super::curve::Rect;
use super::route::wire;
use crate::engine::controller::Section;
use crate::engine::knobs::{Knobs, QueueKind};
use crate::frame::View;
use std::fmt::Write;

const PROMPT: &str = "M3 4l4 4-4 4M8.5 12.5H13";
const CLOCK: &str = "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 1 0 8 1.8zM8 4.6V8l2.4 1.6";

/// Slots that the queue's lane shows.
const SLOTS: usize = 3;

/// The five lanes as HTML, before anything has happened.
///
/// # Panics
///
/// If something has happened in `view`.
pub fn still(view: &View, knobs: &Knobs) -> String {
    assert!(
        view.objects.is_empty() && view.ready.is_empty() && view.actual.is_empty(),
        "the still picture is of the moment before anything has happened"
    );
    let mut html = String::from(
        "<div class=\"lanes\" role=\"group\" aria-label=\"The control loop\"><div class=\"floor\">\n",
    );
    let mut lane = |class, title, num: &str, subtitle: &str, body: &str, foot: &str| {
        let _ = writeln!(
            html,
            "<section class=\"lane {class}\" aria-label=\"{title}\"><header><h2>{title}</h2><span class=\"num\">{num}</span>\
             <p>{subtitle}</p></header><div class=\"body\">{body}</div><footer>{foot}</footer></section>"
        );
    };
    lane(
        "store",
        "Store",
        &format!("rev <b>{}</b>", view.counters.revision),
        "etcd + kube-apiserver",
        "<div class=\"objects\"><div class=\"vacant\">no objects</div></div><div class=\"tape\"></div>",
        &format!(
            "<span class=\"entry\">{}kubectl, helm, you</span>",
            icon(PROMPT)
        ),
    );
    lane(
        "watch",
        "Watch",
        "",
        "informer",
        &format!(
            "<div class=\"track\">{}<i class=\"port in\"></i><i class=\"port out\"></i></div>",
            wire_svg()
        ),
        &format!(
            "<span class=\"quiet\"><b>{}</b> in flight</span>",
            view.flights.len()
        ),
    );
    let queue = match knobs.queue {
        QueueKind::ClientGo => "client-go work queue".to_owned(),
        QueueKind::Channel => format!("plain channel, {} places", knobs.channel_capacity),
    };
    let slots: String = (0..SLOTS)
        .map(|n| if n == 0 { "empty" } else { "" })
        .map(|word| format!("<div class=\"slot\">{word}</div>"))
        .collect();
    lane(
        "queue",
        "Work queue",
        &format!("<b>{}</b> ready", view.ready.len()),
        &queue,
        &format!(
            "<div class=\"slots\">{slots}</div><div class=\"crowd\"><span class=\"quiet\">dirty <b>0</b></span>\
             <span class=\"quiet\">in hand <b>0</b></span></div>"
        ),
        &format!(
            "<div class=\"shelf\"><span class=\"head\">{}nothing delayed</span><span class=\"next\"></span></div>",
            icon(CLOCK)
        ),
    );
    lane(
        "recon",
        "Reconcile()",
        "",
        "the only function you write",
        &reconcile(view),
        "<span class=\"quiet\">waiting</span>",
    );
    lane(
        "actual",
        "Actual",
        "<b>0</b> / 0",
        "what really runs",
        "<div class=\"groups\"><div class=\"vacant\">nothing runs</div></div>",
        "<span class=\"quiet\">nothing wanted</span>",
    );
    html.push_str("</div></div>\n");
    html
}

fn reconcile(view: &View) -> String {
    let hand = "<div class=\"hand\"><div class=\"slot\">waiting for a key</div><div class=\"dirty none\"></div>\
                <div class=\"work\"></div></div>";
    let many = if view.hands.len() > 1 { " many" } else { "" };
    let lines: String = Section::ALL
        .into_iter()
        .map(|section| {
            let (short, long) = match section {
                Section::Fetch => ("get", "desired := get(key)"),
                Section::Observe => ("observe", "actual := observe(key)"),
                Section::Act => ("act", "act(desired, actual)"),
                Section::Result => ("return", "return result"),
                _ => unreachable!("the still picture is of the first chapter"),
            };
            format!(
                "<li><span class=\"long\">{long}</span><span class=\"short\">{short}</span></li>"
            )
        })
        .collect();
    let row = |name| {
        format!(
            "<tr><th scope=\"row\">{name}</th><td>·</td><td class=\"sign\"></td><td>·</td></tr>"
        )
    };
    format!(
        "<div class=\"hands{many}\">{}</div><ol class=\"code idle\" aria-label=\"Sections of Reconcile\">{lines}</ol>\
         <table class=\"diff idle\"><thead><tr><td></td><th scope=\"col\">desired</th><td></td><th scope=\"col\">actual</th></tr></thead>\
         <tbody>{}{}</tbody></table>",
        hand.repeat(view.hands.len()),
        row("version"),
        row("replicas"),
    )
}

fn icon(path: &str) -> String {
    format!(
        "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"{path}\"/></svg>"
    )
}

/// The watch's wire, in hundredths of the lane: where the boxes are is not known yet.
fn wire_svg() -> String {
    let (from, to) = (
        Rect::new(0.0, 95.0, 0.0, 0.0),
        Rect::new(100.0, 21.0, 0.0, 0.0),
    );
    format!(
        "<svg class=\"paths\" viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <path class=\"wire\" vector-effect=\"non-scaling-stroke\" d=\"{}\"/></svg>",
        wire(from, to).path_data()
    )
}
