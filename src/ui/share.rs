//! Share and export: a link to exactly this, a snippet for an article, and the run as files.

use super::address;
use super::browser::{document, window};
use gloo_timers::callback::Timeout;
use js_sys::futures::JsFuture;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlDialogElement, HtmlInputElement, Url};
use yew::platform::spawn_local;
use yew::prelude::*;

/// A file that the visitor can take along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The records up to the cursor.
    JsonLines,
    /// The same for Perfetto.
    Trace,
}

#[derive(PartialEq, Properties)]
pub struct ShareProps {
    /// The run as a fragment.
    pub fragment: String,
    pub on_export: Callback<Export>,
    pub on_close: Callback<()>,
}

#[component]
pub fn Share(props: &ShareProps) -> Html {
    let dialog = use_node_ref();
    use_effect_with((), {
        let dialog = dialog.clone();
        move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // It is shown already, which is as good.
                let _ = dialog.show_modal();
            }
        }
    });
    let link = address::with_fragment(&props.fragment);
    let snippet = snippet(&link);
    let export = |export| props.on_export.reform(move |_: MouseEvent| export);
    let closed = props.on_close.reform(|_: Event| ());
    let close = props.on_close.reform(|_: MouseEvent| ());
    html! {
        <dialog class="keys share" ref={dialog} aria-labelledby="share-title" onclose={closed}>
            <h2 id="share-title">{ "Share exactly this" }</h2>
            <Copy label="Link" text={link} />
            <Copy label="For an article" text={snippet} />
            <h3>{ "Take the run along" }</h3>
            <p class="files">
                <button type="button" class="toggle" title="Every fact up to here, one line of JSON each" onclick={export(Export::JsonLines)}>
                    { "Records (JSON Lines)" }
                </button>
                <button type="button" class="toggle" title="The same in the Chrome trace-event format, for Perfetto" onclick={export(Export::Trace)}>
                    { "Trace (Perfetto)" }
                </button>
            </p>
            <button type="button" class="go" onclick={close}>{ "Close" }</button>
        </dialog>
    }
}

/// What an author pastes into an article.
fn snippet(link: &str) -> String {
    let (page, fragment) = link.split_once('#').unwrap_or((link, ""));
    let page = page.split('?').next().unwrap_or(page);
    let escaped = fragment.replace('&', "&amp;");
    format!(
        "<iframe src=\"{page}?embed#{escaped}\" title=\"Loopscope\" width=\"100%\" height=\"560\" loading=\"lazy\"></iframe>"
    )
}

#[derive(PartialEq, Properties)]
struct CopyProps {
    label: &'static str,
    text: String,
}

/// A text to be copied, by a button or by hand.
#[component]
fn Copy(props: &CopyProps) -> Html {
    let field = use_node_ref();
    let said = use_state(|| None::<(&str, Timeout)>);
    let onclick = {
        let (field, said, text) = (field.clone(), said.clone(), props.text.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(field) = field.cast::<HtmlInputElement>() {
                // Selected, so that it can be copied by hand where the clipboard is refused.
                field.select();
            }
            let (said, text) = (said.clone(), text.clone());
            spawn_local(async move {
                let word = if to_clipboard(text).await {
                    "Copied"
                } else {
                    "Selected"
                };
                let over = said.clone();
                said.set(Some((word, Timeout::new(2000, move || over.set(None)))));
            });
        })
    };
    let word = said.as_ref().map_or("Copy", |(word, _)| word);
    html! {
        <label class="copy">
            <span>{ props.label }</span>
            <input type="text" readonly=true value={props.text.clone()} ref={field} />
            <button type="button" class="toggle" {onclick}>{ word }</button>
        </label>
    }
}

/// Puts `text` into the clipboard, and says whether it is there.
async fn to_clipboard(text: String) -> bool {
    let clipboard = window().navigator().clipboard();
    // A page that came without encryption has none.
    !clipboard.is_undefined() && JsFuture::from(clipboard.write_text(&text)).await.is_ok()
}

/// Hand `text` to the visitor as a file.
///
/// # Errors
/// Where the browser makes no files.
pub fn save(name: &str, kind: &str, text: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let anchor: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    Url::revoke_object_url(&url)
}
