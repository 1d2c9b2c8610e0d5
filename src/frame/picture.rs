//! All that one moment shows: the picture before and after the latest fact, and what travels.

use super::token::{Token, Travel, flights};
use super::transit::transit;
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
        // What takes no time is seen in the dwell of the fact that sent it.
        let timeless = |token: &Token| token.record == record.id && token.takes_no_time();
        let sent = tokens.iter().position(timeless);
        let sent = sent.map(|place| Token {
            travel: Travel::Dwell,
            ..tokens.remove(place)
        });
        tokens.extend(sent);
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

#[cfg(test)]
mod tests {
    use super::super::token::{Ending, Place, Shape};
    use super::*;
    use crate::engine::cluster::Cluster;
    use crate::engine::knobs::Preset;
    use crate::engine::stimulus::Actor;
    use crate::engine::time::SimTime;
    use crate::scene::CONTROL_LOOP;

    /// Every moment of the whole chapter.
    fn pictures(preset: Preset) -> Vec<Picture> {
        let knobs = Rc::new(preset.knobs());
        let mut cluster = Cluster::new(knobs.clone(), 1);
        for (due, stimulus) in CONTROL_LOOP.script(&knobs) {
            cluster.inject(due, Actor::Script, stimulus);
        }
        let mut records = Vec::new();
        cluster.advance_to(SimTime::from_millis(14_000), &mut records);
        let mut view = Rc::new(View::new(knobs.workers));
        let moment = |record: &Record| {
            let before = view.clone();
            let mut after = (*before).clone();
            after.apply(record);
            view = Rc::new(after);
            Picture::new(record, before, view.clone())
        };
        records.iter().map(moment).collect()
    }

    #[test]
    fn a_key_on_its_way_into_the_queue_is_not_drawn_there_yet() {
        for preset in Preset::ALL {
            for picture in pictures(preset) {
                let Some(token) = picture.moving() else {
                    continue;
                };
                let (Place::Ready(n), Ending::Settle) = (token.to, token.ending) else {
                    continue;
                };
                assert!(picture.shown(false).ready.get(usize::from(n)).is_none());
                assert_eq!(
                    Some(picture.shown(true).ready[usize::from(n)].key),
                    token.key
                );
            }
        }
    }

    #[test]
    fn a_merged_key_finds_what_it_dissolves_into() {
        let mut merges = 0;
        for picture in pictures(Preset::ClientGo) {
            let Some(token) = picture.moving() else {
                continue;
            };
            if token.shape != Shape::Key || token.ending != Ending::Dissolve {
                continue;
            }
            merges += 1;
            let Place::DirtyMark(worker) = token.to else {
                panic!("{token:?}")
            };
            let hand = picture.shown(false).hands[usize::from(worker)].as_ref();
            assert!(hand.is_some_and(|hand| Some(hand.key) == token.key && hand.dirty.is_some()));
        }
        assert_eq!(merges, 7);
    }

    #[test]
    fn no_two_tokens_are_the_same() {
        for preset in Preset::ALL {
            for picture in pictures(preset) {
                let mut ids: Vec<_> = picture.tokens.iter().map(|token| token.record).collect();
                ids.sort_unstable();
                ids.dedup();
                assert_eq!(ids.len(), picture.tokens.len());
            }
        }
    }
}
