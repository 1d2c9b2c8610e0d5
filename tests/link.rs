//! Links: what format 1 means, frozen; and what is said where a link cannot be read.

use loopscope::engine::apiserver::Version;
use loopscope::engine::stimulus::Stimulus;
use loopscope::engine::{Knobs, Preset};
use loopscope::scene::{CONTROL_LOOP, DEFAULT_SEED, PRODUCTION, STAGING};
use loopscope::session::{Command, Direction, LINK_MAX, Link, Session, Stride, Telling};
use std::time::{Duration, Instant};

fn open(text: &str) -> Session {
    Session::open(Link::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// The link of the visit that the link opens: the same text.
#[track_caller]
fn is_kept(text: &str) {
    assert_eq!(open(text).link().to_string(), text);
}

#[test]
fn a_bare_visit_is_the_chapter_and_the_scene() {
    let mut session = Session::opening(&CONTROL_LOOP);
    assert_eq!(session.link().to_string(), "1/control-loop/1");
    session.apply(Command::Scene(3));
    assert_eq!(session.link().to_string(), "1/control-loop/4");
    is_kept("1/control-loop/6");
}

// From here on, what stands in a text must mean the same for ever: whoever changes one of these
// tests breaks every link that anybody has kept, and needs another format number.

/// The knobs that there were when the format was frozen. Later ones stand behind them.
fn of_chapter_one(knobs: &Knobs) -> String {
    let text = format!("{knobs:?}");
    let (frozen, _) = text.split_once(", controller: ").expect("later knobs");
    format!("{frozen} }}")
}

#[test]
fn format_1_every_knob() {
    let text = "1/control-loop/2?queue=channel&capacity=3&retry=1.5s&limiter=fast-slow:5ms:10s:3,bucket:0.5:7,cap:30s\
                &buffer=0&watch=1ms&fetch=1us&observe=20.5ms&act=1ns&result=60s&upgrade=0ms&chance=1000&fail=2,3\
                &requeue=250ms&workers=4&owns=no&restart=1.000000001s&count=500&gap=7ms&seed=18446744073709551615";
    let session = open(text);
    let knobs = session.knobs();
    assert_eq!(
        of_chapter_one(knobs),
        "Knobs { queue: Channel, channel_capacity: 3, \
        channel_retry: SimDuration(1500000000), limiter: WithMaxWait { limiter: MaxOf([\
        FastSlow { fast: SimDuration(5000000), slow: SimDuration(10000000000), max_fast_attempts: 3 }, \
        Bucket { qps: 0.5, burst: 7 }]), max: SimDuration(30000000000) }, watch_buffer: 0, \
        watch_delay: SimDuration(1000000), fetch_time: SimDuration(1000), observe_time: SimDuration(20500000), \
        act_time: SimDuration(1), result_time: SimDuration(60000000000), upgrade_time: SimDuration(0), \
        upgrade_failure_permille: 1000, failing_upgrades: Some([2, 3]), requeue_after: SimDuration(250000000), \
        workers: 4, owned_watched: false, restart_time: SimDuration(1000000001), burst_count: 500, \
        burst_gap: SimDuration(7000000) }"
    );
    assert_eq!(session.seed(), u64::MAX);
    assert_eq!(
        session.link().to_string(),
        text.replace("1us", "0.001ms").replace("1ns", "0.000001ms")
    );
    is_kept("1/control-loop/1?limiter=exponential:1ms:1000s");
    is_kept("1/control-loop/1?fail=none");
    // Two runs on one clock.
    is_kept(
        "1/control-loop/4?queue=channel&fail=2&beside-queue=client-go&beside-fail=chance&at=6.005s.170.156",
    );
    is_kept("1/control-loop/1?beside=yes");
}

#[test]
fn format_1_what_is_left_out() {
    let session = open("1/control-loop/1");
    assert_eq!(session.seed(), 3);
    assert_eq!(
        of_chapter_one(session.knobs()),
        "Knobs { queue: ClientGo, channel_capacity: 64, \
        channel_retry: SimDuration(2000000000), limiter: MaxOf([\
        Exponential { base: SimDuration(5000000), max: SimDuration(1000000000000) }, \
        Bucket { qps: 10.0, burst: 100 }]), watch_buffer: 32, watch_delay: SimDuration(5000000), \
        fetch_time: SimDuration(0), observe_time: SimDuration(100000000), act_time: SimDuration(0), \
        result_time: SimDuration(0), upgrade_time: SimDuration(300000000), upgrade_failure_permille: 150, \
        failing_upgrades: None, requeue_after: SimDuration(500000000), workers: 1, owned_watched: true, \
        restart_time: SimDuration(400000000), burst_count: 10, burst_gap: SimDuration(20000000) }"
    );
}

#[test]
fn format_1_every_stimulus_and_its_place() {
    let text = "1/control-loop/1?do=0.5ms:create:staging-postgres:2:15.4,0.5ms:scale:production-postgres:1000,\
                50ms.1:upgrade:production-postgres:16.0,2s:burst:production-postgres:0:60s,\
                2s:delete:staging-postgres,3s:kill:production-postgres,1000s:restart,1000s:fail&at=0ms.1";
    let session = open(text);
    let stimuli: Vec<_> = session
        .run()
        .stimuli()
        .iter()
        .map(|placed| &placed.stimulus)
        .collect();
    assert_eq!(
        stimuli[1],
        &Stimulus::Scale {
            key: PRODUCTION.into(),
            replicas: 1000
        }
    );
    assert_eq!(
        stimuli[0],
        &Stimulus::Create {
            key: STAGING.into(),
            replicas: 2,
            version: Version::new(15, 4)
        }
    );
    assert_eq!(
        stimuli[4],
        &Stimulus::Delete {
            key: STAGING.into()
        }
    );
    assert_eq!(stimuli[7], &Stimulus::FailNextUpgrade);
    // The numbers of facts are known as soon as they are played, and written.
    let at: Vec<_> = session
        .run()
        .stimuli()
        .iter()
        .map(|placed| placed.at.0)
        .collect();
    assert_eq!(at[..3], [500_000, 500_000, 50_000_000]);
    let after: Vec<_> = session
        .run()
        .stimuli()
        .iter()
        .map(|placed| placed.after)
        .collect();
    assert_eq!(after[..3], [Some(1), Some(4), Some(12)]);
    let text = session.link().to_string();
    assert!(
        text.starts_with(
            "1/control-loop/1?do=0.5ms.1:create:staging-postgres:2:15.4,0.5ms.4:scale:"
        ),
        "{text}"
    );
    is_kept(&text);
}

#[test]
fn a_cursor_says_nothing_of_a_run_beside_that_is_not_there() {
    let link = Link::parse("1/control-loop/5?at=0ms.13.505").unwrap();
    let text = link.to_string();
    assert_eq!(text, "1/control-loop/5?at=0ms.13");
    assert_eq!(Link::parse(&text), Ok(link));
}

#[test]
fn format_1_cursor_step_and_variant() {
    let session = open("1/control-loop/3?variant-at=4.906s.82&step=8");
    assert_eq!(
        (session.scene(), session.step(), session.telling()),
        (2, 7, Telling::Variant)
    );
    assert_eq!(session.playhead().applied, 82);
    // A step alone stands where its fact happens.
    let session = open("1/control-loop/4?step=3");
    let mut walked = Session::opening(&CONTROL_LOOP);
    walked.apply(Command::Scene(3));
    walked.tell_step(2);
    assert_eq!(session.picture(), walked.picture());
    assert_eq!((session.scene(), session.step()), (3, 2));
    // What was done in the variant.
    is_kept("1/control-loop/3?variant-do=3.505s.72:fail&variant-at=3.505s.72");
}

#[test]
fn a_link_is_found_in_whatever_it_was_pasted_with() {
    let plain = "1/control-loop/4?queue=channel&do=1s.9:kill:production-postgres&at=2s.30";
    let link = Link::parse(plain);
    assert!(link.is_ok());
    let encoded = plain
        .replace(':', "%3A")
        .replace(',', "%2c")
        .replace('=', "%3D");
    let many = [
        format!("#{plain}"),
        format!("https://loopscope.example/page/?from=chat#{plain}"),
        format!("  #{plain}\n"),
        format!("#{encoded}"),
    ];
    for text in many {
        assert_eq!(Link::parse(&text), link, "{text}");
    }
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || b"/?&=,:.-".contains(&byte);
    assert!(plain.bytes().all(letters));
}

#[test]
fn what_cannot_be_read_is_named_and_what_would_do_is_said() {
    let knob = |setting: &str| format!("1/control-loop/1?{setting}");
    let long = "x".repeat(LINK_MAX + 1);
    let many = format!("do={}1s:restart", "1s:restart,".repeat(200));
    let cases: Vec<(String, &str, &str)> = vec![
        (String::new(), "format number", "begin with 1/"),
        ("2/control-loop/1".into(), "format number", "begin with 1/"),
        (
            "https://loopscope.example/".into(),
            "fragment",
            "after the address comes #1/",
        ),
        (long, "length", "at most 32768"),
        ("1/loop/1".into(), "chapter", "write control-loop"),
        ("1/control-loop".into(), "scene", "from 1 to 6"),
        ("1/control-loop/0".into(), "scene", "from 1 to 6"),
        ("1/control-loop/+1".into(), "scene", "from 1 to 6"),
        ("1/control-loop/7".into(), "scene", "from 1 to 6"),
        ("1/control-loop/1/2".into(), "scene", "nothing but ?"),
        ("1/control-loop/1?%zz".into(), "percent signs", "once more"),
        ("1/control-loop/1?%ff".into(), "percent signs", "once more"),
        (knob(""), "setting", "name=value"),
        (knob("speed=2"), "setting", "no setting of this name"),
        (knob("seed=1&seed=2"), "second seed", "say it once"),
        (knob("seed=18446744073709551616"), "seed", "a whole number"),
        (knob("queue=etcd"), "queue", "client-go or channel"),
        (knob("observe=20"), "observe", "such as 20ms"),
        (knob("observe=20h"), "observe", "such as 20ms"),
        (knob("observe=61s"), "observe", "from 0ms to 60s"),
        (knob("observe=-1s"), "observe", "such as 20ms"),
        (
            knob("observe=99999999999999999999s"),
            "observe",
            "such as 20ms",
        ),
        (knob("observe=0.5ns"), "observe", "whole nanoseconds"),
        (knob("retry=0ms"), "retry", "from 1ms to 3600s"),
        (knob("workers=0"), "workers", "from 1 to 8"),
        (knob("workers=256"), "workers", "up to 8"),
        (knob("count=501"), "count", "from 0 to 500"),
        (knob("chance=1001"), "chance", "from 0 to 1000"),
        (knob("owns=maybe"), "owns", "yes or no"),
        (knob("fail=0"), "fail", "numbers from 1"),
        (
            knob("limiter=exponential:0ms:1s"),
            "limiter",
            "a wait from 1ms",
        ),
        (knob("limiter=bucket:1e9:1"), "limiter", "such as 10 or 0.5"),
        (knob("limiter=cap:1s"), "limiter", "exponential:5ms:1000s"),
        (
            knob("do=1s:scale:other/x:2"),
            "do",
            "production-postgres or staging-postgres",
        ),
        (
            knob("do=1s:scale:production-postgres:1001"),
            "do",
            "replicas from 0 to 1000",
        ),
        (
            knob("do=1s:burst:production-postgres:501:0s"),
            "do",
            "writes of a burst from 0 to 500",
        ),
        (knob("do=2s:restart,1s:restart"), "do", "in order of time"),
        (knob("do=1000001s:restart"), "do", "a time up to 1000000s"),
        (knob("do=restart"), "do", "a place and what"),
        (knob("do="), "do", "a place and what"),
        (knob(&many), "do", "at most 200"),
        (knob("at=1s"), "at", "with a number of facts"),
        (knob("at=1s.4294967295"), "at", "up to 500000"),
        (knob("at=1s.1&variant-at=1s.1"), "variant-at", "not both"),
        (knob("variant-at=1s.1"), "variant", "scene 1 has no variant"),
        (knob("beside=no"), "beside", "write yes"),
        (knob("beside-speed=1"), "setting", "no setting of this name"),
        (knob("beside-retry=0s"), "beside-retry", "from 1ms"),
        (knob("at=1s.1.x"), "at", "a number of facts"),
        (knob("at=1s.1.1.1"), "at", "a number of facts"),
        (knob("step=0"), "step", "a number from 1"),
        (knob("step=99"), "step", "has fewer steps"),
    ];
    for (text, part, wanted) in cases {
        let error = Link::parse(&text).expect_err(&text);
        let said = error.to_string();
        assert_eq!(error.part(), part, "{said}");
        assert!(said.contains(wanted), "{said:?} does not say {wanted:?}");
    }
}

#[test]
fn what_is_quoted_is_short_and_harmless() {
    let text = format!("1/\u{202e}<b>\n{}", "é".repeat(3000));
    let said = Link::parse(&text).unwrap_err().to_string();
    assert!(said.chars().count() < 120, "{said}");
    assert!(said.contains("\\u{202e}<b>\\n\\u{e9}"), "{said}");
}

#[test]
fn the_longest_link_that_can_be_written_can_be_read() {
    let longest = "999999.999999999s.250000:burst:production-postgres:500:59.999999999s";
    let stimuli = vec![longest; 200].join(",");
    let text = format!(
        "1/control-loop/3?do={stimuli}&variant-do={stimuli}&variant-at=999999.999999999s.250000&step=10"
    );
    assert!(text.len() < LINK_MAX * 7 / 8, "{}", text.len());
    assert!(Link::parse(&text).is_ok());
}

#[test]
fn a_full_run_takes_nothing_more_until_something_is_taken_back() {
    let mut session = Session::opening(&CONTROL_LOOP);
    for _ in 0..250 {
        session.apply(Command::Step(Stride::Fact, Direction::Forward));
        session.apply(Command::Do(Stimulus::FailNextUpgrade));
    }
    assert_eq!(session.run().stimuli().len(), 200);
    assert!(session.is_full());
    let reopened = open(&session.link().to_string());
    assert!(reopened.is_full());
    session.apply(Command::Undo);
    assert!(!session.is_full());
    // In the past there is room.
    session.apply(Command::Redo);
    session.apply(Command::Seek(0.0));
    assert!(!session.is_full());
}

#[test]
fn the_article_preset_has_a_link() {
    let session = Session::new(&CONTROL_LOOP, Preset::Article.knobs(), DEFAULT_SEED);
    let text =
        "1/control-loop/1?queue=channel&watch=1ms&fetch=1ms&observe=1ms&act=1ms&result=1ms&owns=no";
    assert_eq!(session.link().to_string(), text);
    is_kept(text);
}

#[test]
fn the_greediest_links_open_in_no_time_and_are_cut_off() {
    let bursts = vec!["1s:burst:production-postgres:500:0ms"; 200].join(",");
    let busy = "chance=1000&retry=1ms&upgrade=0ms&observe=0ms&workers=8&watch=0ms";
    let greedy = [
        // All writes at one instant, into a channel that merges nothing.
        format!(
            "1/control-loop/4?queue=channel&capacity=1000&buffer=1000&{busy}&do={bursts}&at=1s.500000"
        ),
        // A failure that is tried again as soon as may be, for ever.
        format!("1/control-loop/6?queue=channel&{busy}&at=0ms.500000"),
        format!(
            "1/control-loop/3?limiter=fast-slow:1ms:3600s:1000&{busy}&variant-at=1000000s.500000"
        ),
        // Scenes that begin hours later.
        format!("1/control-loop/6?queue=channel&count=500&gap=60s&{busy}&at=999999s.9"),
    ];
    for text in greedy {
        let begin = Instant::now();
        let session = open(&text);
        assert!(session.run().is_cut(), "{text}");
        // Where the cursor stands then has a link as well.
        is_kept(&session.link().to_string());
        let taken = begin.elapsed();
        assert!(taken < Duration::from_secs(10), "{taken:?} for {text}");
    }
}
