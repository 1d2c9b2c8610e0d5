//! Yew components.
use yew::prelude::*;

#[component]
pub fn App() -> Html {
    html! { <main>{ "Loopscope" }</main> }
}
