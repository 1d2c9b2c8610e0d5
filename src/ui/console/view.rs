//! The console as it is drawn.

use super::editor::pane;
use super::line::line;
use super::printed::Printed;
use super::{Console, Wish};
use crate::engine::knobs::ControllerKind;
use crate::session::Session;
use crate::ui::el::{El, el, el_of};
use std::rc::Rc;
use yew::prelude::*;

/// Lines to begin with.
fn first_lines(controller: ControllerKind) -> [&'static str; 4] {
    match controller {
        ControllerKind::Database => [
            "kubectl apply -f production-postgres.yaml",
            "kubectl get databaseclusters --watch",
            "kubectl scale databasecluster production-postgres --replicas=5",
            "kubectl help",
        ],
        ControllerKind::ConfigMap => [
            "kubectl create configmap greeting --from-literal=greeting=world",
            "kubectl get configmaps --show-labels",
            "kubectl label configmap greeting managed-by-",
            "kubectl help",
        ],
    }
}

/// The console.
pub fn view(console: &Console, session: &Session, on_wish: &Callback<Wish>) -> Html {
    let world = Rc::new(console.shell.world(session));
    let shell = &console.shell;
    let below = console.typing.offers.len() + usize::from(console.editor.is_some());
    let printed = html! {
        <Printed said={shell.said().clone()} forgotten={shell.has_forgotten()} {below}>
            { Html::from(welcome(session, on_wish)) }
        </Printed>
    };
    el_of("div", "console")
        .child(printed)
        .when(console.editor.is_some(), || match &console.editor {
            Some(editor) => pane(console, editor, on_wish),
            None => el("p"),
        })
        .child(offers(console, on_wish))
        .child(line(console, &world, on_wish))
        .into()
}

/// What there is to be typed, before anything was.
fn welcome(session: &Session, on_wish: &Callback<Wish>) -> El {
    let lines = first_lines(session.chapter().controller);
    el_of("div", "welcome")
        .child(el("p").text(
            "This line speaks kubectl to the cluster above. What you do here is done there: it is in the timeline, \
             in the link, and Undo takes it back. Begin with one of these:",
        ))
        .child(el_of("p", "chips").list(lines.into_iter().map(|line| {
            let button = el("button")
                .attr("type", "button")
                .on_click(on_wish.reform(move |_| Wish::Try(line)))
                .text(line);
            Html::from(button)
        })))
}

/// What the word may become.
fn offers(console: &Console, on_wish: &Callback<Wish>) -> El {
    let offers = &console.typing.offers;
    el_of("div", "chips offers")
        .attr("role", "group")
        .attr("aria-label", "What the word may become")
        .attr("aria-live", "polite")
        .list(offers.iter().map(|word| {
            let chosen = word.clone();
            let button = el("button")
                .attr("type", "button")
                .attr("tabindex", "-1")
                .on_click(on_wish.reform(move |_| Wish::Choose(chosen.clone())))
                .text(word.clone());
            Html::from(button)
        }))
}
