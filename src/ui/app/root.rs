//! The component that Yew renders.

use super::{App, Msg};
use crate::ui::motion::FrameLoop;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use yew::html::Scope;
use yew::prelude::*;

/// Yew's hold on the page. The loop has another: a frame in which nothing but time passes does without Yew.
pub struct Root(Rc<RefCell<App>>);

impl Component for Root {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Root {
        Root(Rc::new_cyclic(|app| {
            let (app, link) = (Weak::clone(app), ctx.link().clone());
            let frames = FrameLoop::new(move |passed| frame(&app, &link, passed));
            RefCell::new(App::new(ctx.link(), frames))
        }))
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        self.0.borrow_mut().update(ctx, msg)
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        self.0.borrow().page(ctx)
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        self.0.borrow_mut().rendered();
    }
}

/// A frame has passed. Is there to be another one?
fn frame(app: &Weak<RefCell<App>>, link: &Scope<Root>, passed: f64) -> bool {
    let Some(app) = app.upgrade() else {
        return false;
    };
    // After a fall it may be held for ever.
    let Ok(mut app) = app.try_borrow_mut() else {
        return false;
    };
    let (moved, goes_on) = (app.frame(passed), app.is_moving());
    drop(app);
    if moved {
        link.send_message(Msg::Moved);
    }
    goes_on
}
