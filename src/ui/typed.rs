//! What is being typed stays as it was typed, however often the page is drawn meanwhile.

use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The value and the listener of a field, and what to call when its text was taken or refused.
pub struct Typed {
    pub value: String,
    pub oninput: Callback<InputEvent>,
    /// To be called when the field is left, too: a browser fires no change where the text ends as it
    /// began.
    pub settle: Callback<()>,
}

/// A field that shows `settled` but for what is being typed.
#[hook]
pub fn use_typed(settled: String) -> Typed {
    let draft = use_state(|| None::<String>);
    let oninput = {
        let draft = draft.clone();
        Callback::from(move |event: InputEvent| {
            draft.set(Some(
                event.target_unchecked_into::<HtmlInputElement>().value(),
            ));
        })
    };
    Typed {
        value: draft.as_ref().cloned().unwrap_or(settled),
        oninput,
        settle: Callback::from(move |()| draft.set(None)),
    }
}
