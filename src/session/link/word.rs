//! The words of a link, one by one: numbers, durations, places, limiters, stimuli.
//!
//! Each is written by one function and read by the one below it. A reader says what would do where
//! it cannot read; who calls it knows which part of the link it was.

use super::{PLACE_MAX, Place, config};
use crate::engine::apiserver::Version;
use crate::engine::decimal;
use crate::engine::fixed::short;
use crate::engine::knob::{LIMITERS, OutOfBounds};
use crate::engine::knobs::ControllerKind;
use crate::engine::stimulus::{Name, Stimulus};
use crate::engine::time::{SimDuration, SimTime};
use crate::engine::workqueue::LimiterConfig;
use crate::scene::Chapter;
use crate::session::run::{Placed, RUN_MAX};
use std::str::FromStr;

/// What is wanted instead.
pub(super) type Wanted = String;

const NAMESPACE: &str = "default/";

/// A whole number of digits only: no sign, no blank.
pub fn number<T: FromStr>(text: &str) -> Result<T, Wanted> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number.ok_or_else(|| "a whole number".to_owned())
}

/// A number of digits with at most one dot among them.
fn decimal(text: &str) -> Result<f64, Wanted> {
    decimal::decimal(text).ok_or_else(|| "a number such as 10 or 0.5".to_owned())
}

/// `20ms`, `1.5s`; written by `SimDuration`'s `Display`.
pub fn duration(text: &str) -> Result<SimDuration, Wanted> {
    let wanted = || "a duration such as 20ms or 1.5s".to_owned();
    let unit = text.find(|letter: char| letter.is_ascii_alphabetic());
    let (number, unit) = text.split_at(unit.ok_or_else(wanted)?);
    let digits = match unit {
        "ns" => 0,
        "us" => 3,
        "ms" => 6,
        "s" => 9,
        _ => return Err(wanted()),
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return Err(wanted()),
        None => (number, ""),
    };
    if fraction.len() > digits {
        return Err("a duration of whole nanoseconds".to_owned());
    }
    let nanos = |text: &str, scale: usize| {
        let number: i64 = if text.is_empty() {
            Ok(0)
        } else {
            self::number(text)
        }
        .ok()?;
        number.checked_mul(10_i64.pow(scale as u32))
    };
    if whole.is_empty() {
        return Err(wanted());
    }
    let whole = nanos(whole, digits).ok_or_else(wanted)?;
    let fraction = nanos(fraction, digits - fraction.len()).ok_or_else(wanted)?;
    whole
        .checked_add(fraction)
        .map(SimDuration)
        .ok_or_else(wanted)
}

/// `5.263s.123`, or `5.263s` where the facts are not known.
fn place_text(at: SimTime, after: Option<u32>) -> String {
    let time = at - SimTime::ZERO;
    match after {
        Some(after) => format!("{time}.{after}"),
        None => time.to_string(),
    }
}

/// With the facts of the run beside, where there is one: `5.263s.123.98`.
pub fn cursor_text(place: Place, beside: bool) -> String {
    let text = place_text(place.at, Some(place.applied));
    match beside {
        true => format!("{text}.{}", place.beside),
        false => text,
    }
}

fn place(text: &str) -> Result<(SimTime, Option<u32>), Wanted> {
    let wanted = || "a place such as 5.263s.123".to_owned();
    let unit = text
        .find(|letter: char| letter.is_ascii_alphabetic())
        .ok_or_else(wanted)?;
    let (time, after) = match text[unit..].find('.') {
        Some(dot) => (&text[..unit + dot], Some(&text[unit + dot + 1..])),
        None => (text, None),
    };
    let at = SimTime::ZERO + duration(time)?;
    if at > RUN_MAX {
        return Err(format!("a time up to {}", RUN_MAX - SimTime::ZERO));
    }
    let after = after.map(facts).transpose()?;
    Ok((at, after))
}

fn facts(text: &str) -> Result<u32, Wanted> {
    let facts = number(text).ok().filter(|&facts| facts <= PLACE_MAX);
    facts.ok_or_else(|| format!("a number of facts up to {PLACE_MAX}"))
}

/// The number of facts of the run beside may be left out.
pub fn cursor(text: &str) -> Result<Place, Wanted> {
    let (leading, beside) = match text.rsplit_once('.') {
        // There is a number before the last one, behind the unit.
        Some((leading, beside)) if place(leading).is_ok_and(|(_, after)| after.is_some()) => {
            (leading, facts(beside)?)
        }
        _ => (text, 0),
    };
    match place(leading)? {
        (at, Some(applied)) => Ok(Place {
            at,
            applied,
            beside,
        }),
        (_, None) => Err("a place with a number of facts, such as 5.263s.123".to_owned()),
    }
}

/// `5.263s.123:scale:production-postgres:7`.
pub fn placed_text(placed: &Placed, controller: ControllerKind) -> String {
    let place = place_text(placed.at, placed.after);
    if controller == ControllerKind::ConfigMap {
        return format!("{place}:{}", config::written(&placed.stimulus));
    }
    let (word, values) = match &placed.stimulus {
        Stimulus::Create {
            replicas, version, ..
        } => ("create", format!(":{replicas}:{version}")),
        Stimulus::Scale { replicas, .. } => ("scale", format!(":{replicas}")),
        Stimulus::Upgrade { version, .. } => ("upgrade", format!(":{version}")),
        Stimulus::Burst { count, gap, .. } => ("burst", format!(":{count}:{gap}")),
        Stimulus::Delete { .. } => ("delete", String::new()),
        Stimulus::KillReplica { .. } => ("kill", String::new()),
        Stimulus::RestartController => ("restart", String::new()),
        Stimulus::FailNextUpgrade => ("fail", String::new()),
        Stimulus::Patch { patch, .. } => ("patch", config::groups(patch)),
        other => unreachable!("not offered by chapter one: {other:?}"),
    };
    let name = placed.stimulus.key().map_or(String::new(), |key| {
        format!(":{}", key.strip_prefix(NAMESPACE).unwrap_or(key))
    });
    format!("{place}:{word}{name}{values}")
}

pub fn placed(text: &str, chapter: &Chapter) -> Result<Placed, Wanted> {
    let (place, what) = text
        .split_once(':')
        .ok_or("a place and what was done there, such as 5.263s.123:restart")?;
    let (at, after) = self::place(place)?;
    let stimulus = match chapter.controller {
        ControllerKind::Database => stimulus(what, chapter)?,
        ControllerKind::ConfigMap => config::read(what)?,
    };
    stimulus
        .check()
        .map_err(|OutOfBounds { what, wanted }| format!("{what} {wanted}"))?;
    Ok(Placed {
        at,
        after,
        stimulus,
    })
}

fn stimulus(text: &str, chapter: &Chapter) -> Result<Stimulus, Wanted> {
    if let Some(rest) = text.strip_prefix("patch:") {
        let (key, groups) = rest.split_once(':').unwrap_or((rest, ""));
        let patch = config::read_groups(groups.split(':'))?;
        if !patch.data.is_empty() {
            return Err("labels and annotations, no data".to_owned());
        }
        let key = name(key, chapter)?;
        return Ok(Stimulus::Patch { key, patch });
    }
    let words: Vec<&str> = text.splitn(5, ':').collect();
    Ok(match words[..] {
        ["create", key, replicas, version] => Stimulus::Create {
            key: name(key, chapter)?,
            replicas: number(replicas)?,
            version: self::version(version)?,
        },
        ["scale", key, replicas] => Stimulus::Scale {
            key: name(key, chapter)?,
            replicas: number(replicas)?,
        },
        ["upgrade", key, version] => Stimulus::Upgrade {
            key: name(key, chapter)?,
            version: self::version(version)?,
        },
        ["burst", key, count, gap] => Stimulus::Burst {
            key: name(key, chapter)?,
            count: number(count)?,
            gap: duration(gap)?,
        },
        ["delete", key] => Stimulus::Delete {
            key: name(key, chapter)?,
        },
        ["kill", key] => Stimulus::KillReplica {
            key: name(key, chapter)?,
        },
        ["restart"] => Stimulus::RestartController,
        ["fail"] => Stimulus::FailNextUpgrade,
        _ => {
            let wanted = "create:NAME:3:15.4, scale:NAME:7, upgrade:NAME:15.5, burst:NAME:10:20ms, \
                          patch:NAME:l:tier:gold, delete:NAME, kill:NAME, restart or fail";
            return Err(wanted.to_owned());
        }
    })
}

fn version(text: &str) -> Result<Version, Wanted> {
    text.parse()
        .map_err(|_| "a version such as 15.5".to_owned())
}

fn name(text: &str, chapter: &Chapter) -> Result<Name, Wanted> {
    let short = |resource: &&'static str| resource.strip_prefix(NAMESPACE).unwrap_or(resource);
    let found = chapter
        .resources
        .iter()
        .find(|resource| short(resource) == text);
    let names = || chapter.resources.iter().map(short).collect::<Vec<_>>();
    found
        .map(|&resource| Name::Borrowed(resource))
        .ok_or_else(|| format!("an object of the chapter: {}", names().join(" or ")))
}

/// `exponential:5ms:1000s,bucket:10:100`.
pub fn limiter_text(limiter: &LimiterConfig) -> String {
    match limiter {
        LimiterConfig::Exponential { base, max } => format!("exponential:{base}:{max}"),
        LimiterConfig::FastSlow {
            fast,
            slow,
            max_fast_attempts,
        } => {
            format!("fast-slow:{fast}:{slow}:{max_fast_attempts}")
        }
        LimiterConfig::Bucket { qps, burst } => format!("bucket:{}:{burst}", short(*qps, 9)),
        LimiterConfig::MaxOf(limiters) => {
            let texts: Vec<String> = limiters.iter().map(limiter_text).collect();
            texts.join(",")
        }
        LimiterConfig::WithMaxWait { limiter, max } => {
            format!("{},cap:{max}", limiter_text(limiter))
        }
    }
}

pub fn limiter(text: &str) -> Result<LimiterConfig, Wanted> {
    let (limiters, cap) = match text.rsplit_once(",cap:") {
        Some((limiters, cap)) => (limiters, Some(duration(cap)?)),
        None => (text, None),
    };
    let words: Vec<&str> = limiters.splitn(LIMITERS.end() + 1, ',').collect();
    let mut limiters = words
        .into_iter()
        .map(simple_limiter)
        .collect::<Result<Vec<_>, _>>()?;
    let limiter = match limiters.len() {
        1 => limiters.remove(0),
        _ => LimiterConfig::MaxOf(limiters),
    };
    Ok(match cap {
        Some(max) => LimiterConfig::WithMaxWait {
            limiter: Box::new(limiter),
            max,
        },
        None => limiter,
    })
}

fn simple_limiter(text: &str) -> Result<LimiterConfig, Wanted> {
    let words: Vec<&str> = text.splitn(5, ':').collect();
    Ok(match words[..] {
        ["exponential", base, max] => LimiterConfig::Exponential {
            base: duration(base)?,
            max: duration(max)?,
        },
        ["fast-slow", fast, slow, attempts] => LimiterConfig::FastSlow {
            fast: duration(fast)?,
            slow: duration(slow)?,
            max_fast_attempts: number(attempts)?,
        },
        ["bucket", qps, burst] => LimiterConfig::Bucket {
            qps: decimal(qps)?,
            burst: number(burst)?,
        },
        _ => return Err(
            "exponential:5ms:1000s, fast-slow:5ms:10s:3 or bucket:10:100, or several with commas"
                .to_owned(),
        ),
    })
}
