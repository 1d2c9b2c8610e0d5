//! The reader of manifests: a worker beside the page, loaded when the editor is opened first.
//!
//! `static/boot.js` knows its address and starts it, since an address of a script is made there and
//! nowhere else. It says `ready`, and then answers each text with a line of JSON.

use crate::shell::Reading;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, Worker};
use yew::Callback;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = openReader)]
    fn open_reader() -> Result<Worker, JsValue>;
}

/// What comes from the reader.
pub enum Heard {
    Text(String),
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Loading,
    Ready,
    /// It never came.
    Missing,
    /// It was there, and has broken down: over a text, most likely.
    Broken,
}

/// A reader, which may still be loading.
pub struct Reader {
    worker: Option<Worker>,
    state: State,
    reading: Reading,
    /// Held as long as the worker lives.
    _listeners: Vec<Closure<dyn FnMut(Event)>>,
}

impl Reader {
    /// Has it loaded. What it says goes to `heard`.
    pub fn load(heard: Callback<Heard>) -> Reader {
        let Ok(worker) = open_reader() else {
            return Reader {
                worker: None,
                state: State::Missing,
                reading: Reading::default(),
                _listeners: Vec::new(),
            };
        };
        let on_message = {
            let heard = heard.clone();
            Closure::<dyn FnMut(Event)>::new(move |event: Event| {
                let text = event.unchecked_into::<MessageEvent>().data().as_string();
                heard.emit(text.map_or(Heard::Failed, Heard::Text));
            })
        };
        let on_error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            // It is told in the editor.
            event.prevent_default();
            heard.emit(Heard::Failed);
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Reader {
            worker: Some(worker),
            state: State::Loading,
            reading: Reading::default(),
            _listeners: vec![on_message, on_error],
        }
    }

    pub fn state(&self) -> State {
        self.state
    }

    /// Is it reading a text whose answer is waited for?
    pub fn reads(&self) -> bool {
        self.reading.is_waited_for()
    }

    /// Hands it a text to be read.
    pub fn read(&mut self, text: &str) {
        let sent = self
            .worker
            .as_ref()
            .map(|worker| worker.post_message(&text.into()));
        match sent {
            Some(Ok(())) => self.reading.send(),
            _ => self.fail(),
        }
    }

    /// The text is no longer what it was: its answer is not waited for any more.
    pub fn forget(&mut self) {
        self.reading.forget();
    }

    /// The answer that is waited for, if it is that.
    pub fn hear(&mut self, heard: Heard) -> Option<String> {
        match heard {
            Heard::Text(word) if word == "ready" => self.state = State::Ready,
            Heard::Text(answer) => return self.reading.answer().then_some(answer),
            Heard::Failed => self.fail(),
        }
        None
    }

    fn fail(&mut self) {
        self.reading.forget();
        self.state = match self.state {
            State::Loading | State::Missing => State::Missing,
            State::Ready | State::Broken => State::Broken,
        };
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            // What it has said already is nobody's any more.
            worker.set_onmessage(None);
            worker.set_onerror(None);
            worker.terminate();
        }
    }
}
