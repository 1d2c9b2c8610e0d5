//! The console's editor reads YAML here, beside the page: Trunk builds this as a worker.
//!
//! A message is a text; the answer is one line of JSON, `{"documents":[…]}` or `{"error":"…"}`, which
//! `console::json::documents` reads. On a terminal the same for the standard input.

#[cfg(target_arch = "wasm32")]
mod worker {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = addEventListener)]
        fn listen(event: &str, listener: &Closure<dyn FnMut(Message)>);

        #[wasm_bindgen(js_name = postMessage)]
        fn post(text: &str);

        pub type Message;

        #[wasm_bindgen(method, getter)]
        fn data(this: &Message) -> JsValue;
    }

    pub fn run() {
        let listener = Closure::new(|message: Message| {
            let text = message.data().as_string().unwrap_or_default();
            post(&loopscope::console::manifest::answer(&text));
        });
        listen("message", &listener);
        // It listens as long as the worker lives.
        listener.forget();
        // A message that came before the worker was there to hear it would be lost: the page waits.
        post("ready");
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {
    worker::run();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    let text = std::io::read_to_string(std::io::stdin())?;
    println!("{}", loopscope::console::manifest::answer(&text));
    Ok(())
}
