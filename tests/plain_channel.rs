//! The plain channel promises none of the work queue's laws: that it breaks them is what it is for.

use loopscope::engine::key::Key;
use loopscope::engine::time::{SimDuration, SimTime};
use loopscope::engine::workqueue::{AddOptions, Added, Get, QueueConfig, WorkQueue};

#[test]
fn sometimes_the_plain_channel_loses_work_and_gives_one_key_to_two_workers() {
    let (now, key) = (SimTime::ZERO, Key(0));
    let mut channel = WorkQueue::new(&QueueConfig::Channel { capacity: 2 }, now);
    let add = |channel: &mut WorkQueue| channel.add(now, key, AddOptions::default());
    assert_eq!(
        [(); 3].map(|()| add(&mut channel)),
        [Added::Ready, Added::Ready, Added::Full]
    );
    assert_eq!(
        [(); 3].map(|()| channel.get(now)),
        [Get::Item(key), Get::Item(key), Get::Empty]
    );
    assert_eq!(channel.view().processing, [key, key]);
    assert!(
        !channel.done(now, key),
        "an event that came meanwhile would be in the buffer"
    );
    assert_eq!(channel.view().processing, [key]);
}

#[test]
fn timers_of_the_plain_channel_fire_each_by_itself_in_the_order_of_setting() {
    let ms = SimTime::from_millis;
    let mut channel = WorkQueue::new(&QueueConfig::Channel { capacity: 3 }, ms(0));
    let in_5_ms = AddOptions::after(SimDuration::from_millis(5));
    for key in [1, 0, 1, 2] {
        assert_eq!(
            channel.add(ms(0), Key(key), in_5_ms),
            Added::Delayed { until: ms(5) }
        );
    }
    assert_eq!(
        (channel.next_wake(), channel.wake(ms(4))),
        (Some(ms(5)), None)
    );
    let woken: Vec<_> = std::iter::from_fn(|| channel.wake(ms(5))).collect();
    let added = |key| (Key(key), Added::Ready);
    assert_eq!(woken, [added(1), added(0), added(1), (Key(2), Added::Full)]);
    channel.shut_down(ms(5));
    assert_eq!(channel.add(ms(5), Key(0), in_5_ms), Added::ShuttingDown);
    assert_eq!((channel.len(), channel.shutting_down()), (3, true));
}
