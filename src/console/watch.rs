//! `get -w`: rows for what happens from now on.
//!
//! Mirrors `watch` of `k8s.io/kubectl/pkg/cmd/get/get.go`: headings come with the first row, and the
//! columns are never narrower than they were (`RememberWidths` of `github.com/liggitt/tabwriter`).

use super::align::{TABLE, align_below};
use super::get::{Columns, cells};
use super::reply::Line;
use super::resource;
use super::tree::{as_yaml, tree};
use crate::engine::apiserver::{Kind, Object};
use crate::engine::time::SimTime;
use std::rc::Rc;

/// What a watch shows, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    pub kind: Kind,
    /// None: in every namespace.
    pub namespace: Option<String>,
    /// None: all of them.
    pub name: Option<String>,
    pub(super) format: String,
    pub(super) columns: Columns,
    /// Have the headings been printed?
    pub(super) headed: bool,
    /// Has a document been printed?
    pub(super) begun: bool,
    /// Of the columns, as far as they were printed.
    pub(super) widths: Vec<usize>,
}

impl Watch {
    /// The lines for an object that was added, changed or deleted: nothing if it is not watched.
    /// kubectl prints a deleted object's last row once more, and does not say that it is gone.
    pub fn lines(&mut self, object: &Rc<Object>, now: SimTime) -> Vec<Line> {
        let meta = &object.meta;
        let watched = object.body.kind() == self.kind
            && self
                .namespace
                .as_deref()
                .is_none_or(|namespace| *meta.namespace == *namespace)
            && self.name.as_deref().is_none_or(|name| *meta.name == *name);
        if !watched {
            return Vec::new();
        }
        let text = self.text(std::slice::from_ref(object), now);
        text.split('\n').map(Line::out).collect()
    }

    /// The objects, below what was printed before: each alone, in no list.
    pub(super) fn text(&mut self, objects: &[Rc<Object>], now: SimTime) -> String {
        let each: Vec<String> = match &*self.format {
            "name" => objects.iter().map(|object| name(object)).collect(),
            "json" => objects
                .iter()
                .map(|object| tree(object).indented())
                .collect(),
            "yaml" => objects.iter().map(|object| self.document(object)).collect(),
            _ => self.rows(objects, now),
        };
        each.join("\n")
    }

    /// In YAML a line divides it from the document before.
    fn document(&mut self, object: &Object) -> String {
        let line = if self.begun { "---\n" } else { "" };
        self.begun = true;
        format!("{line}{}", as_yaml(object))
    }

    /// The objects' rows, below those that were printed before.
    fn rows(&mut self, objects: &[Rc<Object>], now: SimTime) -> Vec<String> {
        let rows = cells(objects, now, self.columns, !self.headed);
        self.headed |= !rows.is_empty();
        align_below(&rows, TABLE, &mut self.widths)
    }
}

/// As `-o name` has it.
pub(super) fn name(object: &Object) -> String {
    let kind = resource::qualified(object.body.kind());
    format!("{kind}/{}", object.meta.name)
}
