//! What is visible at a cursor: lanes, entries, hands, pods and travelling tokens. No pixels.
//!
//! The engine plays a cue at a time, and a cue may leave several facts at one instant (done, the
//! key comes back, a worker takes it). The page shows them one by one. So the picture is a fold
//! over the records, `View::apply`, and not a look into the cluster; a test holds the two against
//! each other wherever a cue ends.

mod fault;
mod fold;
mod life;
mod metrics;
mod picture;
mod timeline;
mod token;
mod transit;
mod view;
mod wire;

pub use fault::FaultView;
pub use life::{Follow, Life};
pub use metrics::Meter;
pub use picture::Picture;
pub use timeline::{Bar, Bookmark, Look, Timeline, Track};
pub use token::{Ending, Place, Shape, Token, Travel, flights};
pub use transit::transit;
pub use view::{
    Card, Chip, Counters, Delay, DelayKind, Flight, HandView, Pods, ReadyEntry, Returned, View,
};
pub use wire::{Cached, ConfigCard, Difference, InformerView, Informing, Message, Parcel};
