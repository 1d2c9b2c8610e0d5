//! `get -w`: rows for what happens from now on.
//!
//! Mirrors `watch` of `k8s.io/kubectl/pkg/cmd/get/get.go`: headings come with the first row, and the
//! columns are never narrower than they were (`RememberWidths` of `github.com/liggitt/tabwriter`).

use super::align::{TABLE, align_below};
use super::get::{Columns, cells};
use super::reply::Line;
use super::{resource, tree, yaml};
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
        let text = match &*self.format {
            "name" => format!("{}/{}", resource::qualified(self.kind), meta.name),
            "json" => tree(object).indented(),
            "yaml" => format!("---\n{}", yaml::emit(&tree(object)).trim_end_matches('\n')),
            _ => self.rows(std::slice::from_ref(object), now).join("\n"),
        };
        text.split('\n').map(Line::out).collect()
    }

    /// The objects' rows, below those that were printed before.
    pub(super) fn rows(&mut self, objects: &[Rc<Object>], now: SimTime) -> Vec<String> {
        let rows = cells(objects, now, self.columns, !self.headed);
        self.headed |= !rows.is_empty();
        align_below(&rows, TABLE, &mut self.widths)
    }
}
