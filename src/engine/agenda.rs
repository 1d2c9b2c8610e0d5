//! The agenda: all that is still to happen, in order.
//!
//! Order is by `(due, class, sequence)`. At one instant people come first, then deliveries, then
//! deadlines, then what a worker finishes, then what a worker picks up: the tie rules of the
//! recordings (`tests/vectors`), so that an update at the very instant of a Done still belongs to
//! the run that follows.

use super::time::SimTime;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The rank of a cue among those due at the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// What the visitor does is done next, whatever else is due at the cursor.
    Visitor,
    People,
    Delivery,
    Deadline,
    Work,
    PickUp,
}

#[derive(Clone, Debug)]
struct Entry<C> {
    due: SimTime,
    class: Class,
    seq: u64,
    cue: C,
}

impl<C> Entry<C> {
    fn rank(&self) -> (SimTime, Class, u64) {
        (self.due, self.class, self.seq)
    }
}

impl<C> PartialEq for Entry<C> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl<C> Eq for Entry<C> {}

impl<C> PartialOrd for Entry<C> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C> Ord for Entry<C> {
    /// Turned round: `BinaryHeap` gives the greatest, we want the first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.rank().cmp(&self.rank())
    }
}

/// Cues in the order in which they will be played.
#[derive(Clone, Debug)]
pub struct Agenda<C> {
    heap: BinaryHeap<Entry<C>>,
    seq: u64,
}

impl<C> Default for Agenda<C> {
    fn default() -> Self {
        Agenda {
            heap: BinaryHeap::new(),
            seq: 0,
        }
    }
}

impl<C> Agenda<C> {
    pub fn push(&mut self, due: SimTime, class: Class, cue: C) {
        self.heap.push(Entry {
            due,
            class,
            seq: self.seq,
            cue,
        });
        self.seq += 1;
    }

    /// How many cues are still to be played.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// When the next cue is due.
    pub fn next_due(&self) -> Option<SimTime> {
        self.heap.peek().map(|entry| entry.due)
    }

    /// Take the next cue with its due time.
    pub fn pop(&mut self) -> Option<(SimTime, C)> {
        self.heap.pop().map(|entry| (entry.due, entry.cue))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_first_then_class_then_the_order_of_coming() {
        let mut agenda = Agenda::default();
        let at = SimTime::from_millis;
        agenda.push(at(2), Class::People, 'e');
        agenda.push(at(1), Class::PickUp, 'd');
        agenda.push(at(1), Class::Work, 'c');
        agenda.push(at(1), Class::People, 'a');
        agenda.push(at(1), Class::People, 'b');
        let order: String = std::iter::from_fn(|| agenda.pop())
            .map(|(_, cue)| cue)
            .collect();
        assert_eq!(order, "abcde");
    }
}
