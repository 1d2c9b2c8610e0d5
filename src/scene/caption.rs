//! Words with numbers of the run in them: `{requeue}` becomes `500 ms`.
//!
//! The scenes are data and know no numbers; the knobs do. What is not a placeholder, such as the
//! braces of a JSON patch, stays as it is.

use crate::engine::knobs::Knobs;
use crate::engine::time::SimDuration;

/// `text` with every placeholder filled in from `knobs`.
pub fn fill(text: &str, knobs: &Knobs) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        filled.push_str(&rest[..open]);
        rest = &rest[open..];
        let named = rest.find('}').and_then(|close| {
            let value = value(&rest[1..close], knobs)?;
            Some((value, close + 1))
        });
        let (value, read) = named.unwrap_or_else(|| ("{".to_owned(), 1));
        filled.push_str(&value);
        rest = &rest[read..];
    }
    filled.push_str(rest);
    filled
}

fn value(name: &str, knobs: &Knobs) -> Option<String> {
    let duration = match name {
        "count" => return Some(knobs.burst_count.to_string()),
        "span" => SimDuration(knobs.burst_gap.0.saturating_mul(knobs.burst_count.into())),
        "gap" => knobs.burst_gap,
        "observe" => knobs.observe_time,
        "requeue" => knobs.requeue_after,
        "retry" => knobs.channel_retry,
        "upgrade" => knobs.upgrade_time,
        _ => return None,
    };
    Some(spaced(duration))
}

/// A duration as running text has it: `500 ms`, `1.5 s`.
pub fn spaced(duration: SimDuration) -> String {
    let text = duration.to_string();
    let unit = text
        .find(|letter: char| letter.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    format!("{number} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::knobs::Preset;
    use crate::scene::CONTROL_LOOP;

    #[test]
    fn every_placeholder_has_a_value_and_a_unit() {
        let knobs = Preset::ClientGo.knobs();
        let text = "{count} {gap} {span} {observe} {requeue} {retry} {upgrade}";
        assert_eq!(
            fill(text, &knobs),
            "10 20 ms 200 ms 100 ms 500 ms 2 s 300 ms"
        );
    }

    #[test]
    fn other_braces_stay_as_they_are() {
        let knobs = Preset::ClientGo.knobs();
        for text in [
            "",
            "}{",
            "{unknown}",
            "{",
            "a {count",
            r#"-p '{"spec":{"replicas":5}}'"#,
        ] {
            assert_eq!(fill(text, &knobs), text);
        }
        assert_eq!(fill("{x{count}}", &knobs), "{x10}");
    }

    #[test]
    fn no_text_of_the_chapter_has_an_unknown_placeholder() {
        let knobs = Preset::ClientGo.knobs();
        for scene in CONTROL_LOOP.scenes {
            let captions = scene.beats.iter().map(|beat| beat.caption);
            let texts = [scene.tab, scene.title, scene.claim]
                .into_iter()
                .chain(scene.note)
                .chain(scene.variant.as_ref().map(|variant| variant.title))
                .chain(captions);
            for text in texts {
                let filled = fill(text, &knobs);
                assert!(
                    !filled.contains(['{', '}']),
                    "unknown placeholder: {filled}"
                );
            }
        }
    }
}
