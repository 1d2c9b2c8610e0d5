//! Elements without a macro: a small builder.
//!
//! `html!` writes out the making of each element where it stands. The stage has over a hundred kinds
//! of elements; made by calls, its code is half as large (16 KB less WebAssembly to fetch and to
//! compile on a phone). Components (with props and hooks) still come from `html!`.
//!
//! A child that is only sometimes there keeps its place by being empty ([`El::when`]), so that Yew
//! compares each of its neighbours with itself.

use std::rc::Rc;
use yew::html::onclick;
use yew::prelude::*;
use yew::virtual_dom::{Key, Listener, VList, VNode, VTag, VText};

/// An element being made.
pub struct El {
    tag: VTag,
    children: Vec<VNode>,
}

/// A new element.
#[inline(never)]
pub fn el(tag: &'static str) -> El {
    El {
        tag: VTag::new(tag),
        children: Vec::new(),
    }
}

/// A new element of a class.
pub fn el_of(tag: &'static str, class: impl Into<AttrValue>) -> El {
    el(tag).attr("class", class)
}

/// A button that does something.
pub fn button(on_click: Callback<MouseEvent>) -> El {
    el("button").attr("type", "button").on_click(on_click)
}

/// A text.
#[inline(never)]
fn text_node(text: AttrValue) -> VNode {
    VNode::from(VText::new(text))
}

/// A text as a thing of its own.
pub fn text(text: impl Into<AttrValue>) -> Html {
    text_node(text.into())
}

/// Several things in a row.
pub fn row<const N: usize>(parts: [Html; N]) -> Html {
    VNode::from(VList::with_children(Vec::from(parts), None))
}

/// Names of classes in one, without the empty ones.
#[inline(never)]
pub fn classes(names: &[&str]) -> String {
    let mut all = String::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(name);
    }
    all
}

impl El {
    #[inline(never)]
    fn put(mut self, name: &'static str, value: AttrValue) -> El {
        self.tag.add_attribute(name, value);
        self
    }

    #[inline(never)]
    fn push(mut self, child: VNode) -> El {
        self.children.push(child);
        self
    }

    pub fn attr(self, name: &'static str, value: impl Into<AttrValue>) -> El {
        self.put(name, value.into())
    }

    /// An attribute that is only sometimes there.
    pub fn attr_if(self, name: &'static str, value: Option<impl Into<AttrValue>>) -> El {
        match value {
            Some(value) => self.put(name, value.into()),
            None => self,
        }
    }

    pub fn key(mut self, key: u32) -> El {
        self.tag.key = Some(Key::from(key));
        self
    }

    /// What stands in a field. It is put there only where it is not what stands there already.
    pub fn value(mut self, value: &str) -> El {
        self.tag.set_value(Some(AttrValue::from(value.to_owned())));
        self
    }

    pub fn on_click(mut self, callback: Callback<MouseEvent>) -> El {
        let listener: Rc<dyn Listener> = Rc::new(onclick::Wrapper::new(callback));
        self.tag.add_listener(listener);
        self
    }

    /// A way for others to find the element once it is drawn.
    pub fn node(mut self, node: &NodeRef) -> El {
        self.tag.node_ref = node.clone();
        self
    }

    pub fn listen(mut self, listener: Rc<dyn Listener>) -> El {
        self.tag.add_listener(listener);
        self
    }

    pub fn text(self, text: impl Into<AttrValue>) -> El {
        self.push(text_node(text.into()))
    }

    pub fn child(self, child: impl Into<VNode>) -> El {
        self.push(child.into())
    }

    /// A list of children, compared among themselves.
    pub fn list(self, children: impl Iterator<Item = VNode>) -> El {
        let children = VList::with_children(children.collect(), None);
        self.push(VNode::from(children))
    }

    /// A child that is only sometimes there.
    pub fn when<C: Into<VNode>>(self, condition: bool, child: impl FnOnce() -> C) -> El {
        let child = if condition {
            child().into()
        } else {
            VNode::default()
        };
        self.push(child)
    }

    #[inline(never)]
    fn finish(self) -> VNode {
        let mut tag = self.tag;
        tag.add_children(self.children);
        VNode::from(tag)
    }
}

impl From<El> for VNode {
    fn from(el: El) -> VNode {
        el.finish()
    }
}
