//! Yew components.
use yew::prelude::*;

#[component]
pub fn App() -> Html {
    use_effect_with((), |()| {
        // The page's own word that it can be used; tests wait for it.
        if let Some(html) =
            web_sys::window().and_then(|window| window.document()?.document_element())
        {
            let _ = html.set_attribute("data-ready", "true");
        }
    });
    html! { <main>{ "Loopscope" }</main> }
}
