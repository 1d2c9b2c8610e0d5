//! The dock under the timeline: one panel at a time.

use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct DockProps {
    pub panels: Vec<&'static str>,
    pub open: usize,
    pub on_open: Callback<usize>,
    pub children: Children,
}

#[component]
pub fn Dock(props: &DockProps) -> Html {
    let count = props.panels.len();
    let open = props.open;
    let on_key = props.on_open.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let goal = match event.key().as_str() {
            "ArrowRight" => (open + 1) % count,
            "ArrowLeft" => (open + count - 1) % count,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        on_key.emit(goal);
    });
    let tabs = props.panels.iter().enumerate().map(|(index, name)| {
        let current = index == open;
        let onclick = props.on_open.reform(move |_: MouseEvent| index);
        html! {
            <button
                type="button"
                role="tab"
                id={format!("dock-tab-{index}")}
                aria-selected={current.to_string()}
                aria-controls="dock-panel"
                tabindex={if current { "0" } else { "-1" }}
                {onclick}
            >
                { *name }
            </button>
        }
    });
    // These scroll by themselves.
    let scrolls = !matches!(props.panels[open], "Log" | "Console");
    html! {
        <section class="dock" aria-label="Details">
            <div class="tabs" role="tablist" aria-label="Details" {onkeydown}>{ for tabs }</div>
            <div class="panel" id="dock-panel" role="tabpanel" aria-labelledby={format!("dock-tab-{open}")} tabindex={scrolls.then_some("0")}>
                { props.children.clone() }
            </div>
        </section>
    }
}
