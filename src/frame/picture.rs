//! All that one moment shows: the picture before and after the latest fact, and what travels.

use super::token::{Token, Travel, flights, transit};
use super::view::View;
use crate::engine::record::Record;
use std::rc::Rc;

/// The moment of one fact.
///
/// While the fact's token is under way the picture behind it is the one *before*; when it has
/// landed, the one after. So a key is never drawn where it has not arrived yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The picture without the latest fact.
    pub before: Rc<View>,
    /// The picture with it.
    pub view: Rc<View>,
    /// What is under way: events in flight, and last the token that the latest fact moves.
    pub tokens: Vec<Token>,
}

impl Picture {
    /// The moment of `record`, which made `view` out of `before`.
    pub fn new(record: &Record, before: Rc<View>, view: Rc<View>) -> Picture {
        let mut tokens: Vec<Token> = flights(&view).collect();
        tokens.extend(transit(record, &before, &view));
        Picture {
            before,
            view,
            tokens,
        }
    }

    /// The moment before anything happened.
    pub fn empty(view: Rc<View>) -> Picture {
        Picture {
            before: view.clone(),
            view,
            tokens: Vec::new(),
        }
    }

    /// The token that travels during the latest fact's dwell.
    pub fn moving(&self) -> Option<&Token> {
        self.tokens
            .last()
            .filter(|token| token.travel == Travel::Dwell)
    }

    /// What is to be drawn behind the tokens, before and after the moving one has landed.
    pub fn shown(&self, landed: bool) -> &View {
        match self.moving() {
            Some(_) if !landed => &self.before,
            _ => &self.view,
        }
    }
}
