//! The words of a link for what is done to config maps and to their controller.
//!
//! Free text is written byte by byte: letters, digits, `-`, `.` and `/` as they are, every other
//! byte as `=` and two hexadecimal digits, and no text at all as `=` alone. Changes follow a name in
//! groups: `l:`*label*`:`*value*, `a:`*annotation*`:`*value*, `d:`*key*`:`*value*, and `xl:`, `xa:`,
//! `xd:` with a name alone for what is removed.

use super::word::{Wanted, duration, number};
use crate::engine::apiserver::is_valid_name;
use crate::engine::knob::ENTRIES_MAX;
use crate::engine::stimulus::{Changes, Entries, Manifest, Name, Patch, Stimulus};

const NAMESPACE: &str = "default/";

fn text(text: &str) -> String {
    let Some(last) = text.len().checked_sub(1) else {
        return "=".to_owned();
    };
    let mut written = String::new();
    for (place, byte) in text.bytes().enumerate() {
        // What a link ends with must not be cut off.
        let plain = byte.is_ascii_alphanumeric() || b"-./".contains(&byte) && place < last;
        if plain {
            written.push(char::from(byte));
        } else {
            written.push_str(&format!("={byte:02X}"));
        }
    }
    written
}

fn read_text(word: &str) -> Result<Name, Wanted> {
    let wanted = || "text, such as greeting or hello=20world".to_owned();
    if word == "=" {
        return Ok(Name::Borrowed(""));
    }
    let (mut bytes, mut rest) = (Vec::new(), word.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'=' {
            bytes.push(byte);
            continue;
        }
        let digit = |place: usize| char::from(*after.get(place)?).to_digit(16);
        let value = digit(0)
            .zip(digit(1))
            .map(|(high, low)| (high * 16 + low) as u8);
        bytes.push(value.ok_or_else(wanted)?);
        rest = &after[2..];
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.is_empty() => Ok(Name::Owned(text)),
        _ => Err(wanted()),
    }
}

fn key_text(key: &str) -> String {
    text(key.strip_prefix(NAMESPACE).unwrap_or(key))
}

fn read_key(word: &str) -> Result<Name, Wanted> {
    let key = read_text(word)?;
    let key = match key.contains('/') {
        true => key,
        false => format!("{NAMESPACE}{key}").into(),
    };
    let valid = key
        .split_once('/')
        .is_some_and(|(namespace, name)| is_valid_name(namespace) && is_valid_name(name));
    valid
        .then_some(key)
        .ok_or_else(|| "the name of a config map, such as hello".to_owned())
}

/// Changes, as they follow a name.
pub fn groups(patch: &Patch) -> String {
    let Patch {
        labels,
        annotations,
        data,
    } = patch;
    let group = |letter: char, changes: &Changes| -> String {
        let word = |(name, value): &(Name, Option<Name>)| match value {
            Some(value) => format!(":{letter}:{}:{}", text(name), text(value)),
            None => format!(":x{letter}:{}", text(name)),
        };
        changes.iter().map(word).collect()
    };
    group('l', labels) + &group('a', annotations) + &group('d', data)
}

pub fn read_groups<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Patch, Wanted> {
    let wanted = || "changes such as l:managed-by:me or xl:managed-by".to_owned();
    let mut changes = [Vec::new(), Vec::new(), Vec::new()];
    while let Some(letter) = words.next() {
        let (removed, letter) = match letter.strip_prefix('x') {
            Some(letter) => (true, letter),
            None => (false, letter),
        };
        let place = ["l", "a", "d"].iter().position(|known| *known == letter);
        let list = &mut changes[place.ok_or_else(wanted)?];
        let name = read_text(words.next().ok_or_else(wanted)?)?;
        let value = match removed {
            true => None,
            false => Some(read_text(words.next().ok_or_else(wanted)?)?),
        };
        list.push((name, value));
        if list.len() > ENTRIES_MAX {
            return Err(format!("at most {ENTRIES_MAX} changes"));
        }
    }
    let [labels, annotations, data] = changes.map(Changes::Owned);
    Ok(Patch {
        labels,
        annotations,
        data,
    })
}

fn manifest(patch: Patch) -> Result<Manifest, Wanted> {
    let entries = |changes: Changes| -> Result<Entries, Wanted> {
        let given = |(name, value): (Name, Option<Name>)| {
            let wanted = || "what it shall hold, and nothing to be removed".to_owned();
            Ok((name, value.ok_or_else(wanted)?))
        };
        let entries: Result<Vec<_>, Wanted> = changes.into_owned().into_iter().map(given).collect();
        entries.map(Entries::Owned)
    };
    Ok(Manifest {
        data: entries(patch.data)?,
        labels: entries(patch.labels)?,
        annotations: entries(patch.annotations)?,
    })
}

/// The words of a stimulus that is none of chapter one's.
pub fn written(stimulus: &Stimulus) -> String {
    match stimulus {
        Stimulus::CreateConfigMap { key, manifest } => {
            format!("new:{}{}", key_text(key), groups(&manifest.patch()))
        }
        Stimulus::ApplyConfigMap { key, manifest } => {
            format!("apply:{}{}", key_text(key), groups(&manifest.patch()))
        }
        Stimulus::Patch { key, patch } => format!("patch:{}{}", key_text(key), groups(patch)),
        Stimulus::CreateMany { name, count } => format!("many:{}:{count}", key_text(name)),
        Stimulus::Burst { key, count, gap } => format!("touch:{}:{count}:{gap}", key_text(key)),
        Stimulus::Delete { key } => format!("remove:{}", key_text(key)),
        Stimulus::RefuseWrites { span } => format!("refuse-for:{span}"),
        Stimulus::RefuseNext { writes } => format!("refuse-next:{writes}"),
        Stimulus::RefuseController => "refuse-controller".to_owned(),
        Stimulus::SwallowReconcile => "swallow".to_owned(),
        Stimulus::LoseEvent => "lose".to_owned(),
        Stimulus::CloseWatch => "close".to_owned(),
        Stimulus::ExpireWatch => "expire".to_owned(),
        Stimulus::RestartController => "restart".to_owned(),
        Stimulus::Create { .. }
        | Stimulus::Scale { .. }
        | Stimulus::Upgrade { .. }
        | Stimulus::KillReplica { .. }
        | Stimulus::FailNextUpgrade => unreachable!("chapter one's, and not offered here"),
    }
}

/// What somebody does in a chapter about config maps.
pub fn read(words: &str) -> Result<Stimulus, Wanted> {
    let (what, rest) = words.split_once(':').unwrap_or((words, ""));
    let mut words = rest.split(':');
    let first = words.next().unwrap_or_default();
    let alone = |stimulus| match rest {
        "" => Ok(stimulus),
        _ => Err(format!("{what} alone")),
    };
    let last = |words: &mut dyn Iterator<Item = &str>| match words.next() {
        None => Ok(()),
        Some(_) => Err("fewer colons".to_owned()),
    };
    match what {
        "new" => Ok(Stimulus::CreateConfigMap {
            key: read_key(first)?,
            manifest: manifest(read_groups(words)?)?,
        }),
        "apply" => Ok(Stimulus::ApplyConfigMap {
            key: read_key(first)?,
            manifest: manifest(read_groups(words)?)?,
        }),
        "patch" => Ok(Stimulus::Patch {
            key: read_key(first)?,
            patch: read_groups(words)?,
        }),
        "many" => {
            let count = number(words.next().unwrap_or_default())?;
            last(&mut words)?;
            let name = read_key(first)?;
            Ok(Stimulus::CreateMany { name, count })
        }
        "touch" => {
            let count = number(words.next().unwrap_or_default())?;
            let gap = duration(words.next().unwrap_or_default())?;
            last(&mut words)?;
            let key = read_key(first)?;
            Ok(Stimulus::Burst { key, count, gap })
        }
        "remove" => {
            last(&mut words)?;
            let key = read_key(first)?;
            Ok(Stimulus::Delete { key })
        }
        "refuse-for" => {
            last(&mut words)?;
            let span = duration(first)?;
            Ok(Stimulus::RefuseWrites { span })
        }
        "refuse-next" => {
            last(&mut words)?;
            let writes = number(first)?;
            Ok(Stimulus::RefuseNext { writes })
        }
        "refuse-controller" => alone(Stimulus::RefuseController),
        "swallow" => alone(Stimulus::SwallowReconcile),
        "lose" => alone(Stimulus::LoseEvent),
        "close" => alone(Stimulus::CloseWatch),
        "expire" => alone(Stimulus::ExpireWatch),
        "restart" => alone(Stimulus::RestartController),
        _ => Err(
            "new:NAME:d:greeting:world, apply:NAME, patch:NAME:xl:managed-by, many:NAME:150, \
             touch:NAME:10:20ms, remove:NAME, refuse-for:3s, refuse-next:2, refuse-controller, swallow, \
             lose, close, expire or restart"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_to_config_maps_goes_into_words_and_back() {
        let manifest = Manifest::data(&[]);
        let patch = Patch {
            labels: vec![("app.kubernetes.io/name".into(), Some("a:b,&c=.".into()))].into(),
            annotations: vec![("empty".into(), Some("".into()))].into(),
            data: vec![("gone".into(), None), ("ü".into(), Some("100 %".into()))].into(),
        };
        let key = || Name::Borrowed("default/hello");
        let all = [
            Stimulus::CreateConfigMap {
                key: "other/hello".into(),
                manifest,
            },
            Stimulus::Patch { key: key(), patch },
            Stimulus::CreateMany {
                name: key(),
                count: 150,
            },
            Stimulus::Delete { key: key() },
            Stimulus::RefuseNext { writes: 2 },
            Stimulus::ExpireWatch,
        ];
        for stimulus in all {
            let words = written(&stimulus);
            let safe = |letter: char| letter.is_ascii_alphanumeric() || "/:.-=".contains(letter);
            assert!(words.chars().all(safe), "{words}");
            assert_eq!(read(&words).as_ref(), Ok(&stimulus), "{words}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in [
            "",
            "new",
            "new:",
            "new:Hello",
            "new:hello:xl:a",
            "patch:hello:q:a:b",
            "patch:hello:l:a",
            "many:hello",
            "many:hello:1:2",
            "swallow:1",
            "refuse-for:",
            "patch:hello:l:=4:b",
            "patch:hello:l:=ü:b",
            "remove:a/b/c",
            "scale:hello:3",
        ] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
