//! From a link's text to a visit. Takes whatever it is given, and never panics.

use super::error::quoted;
use super::word::{cursor, duration, limiter, number, placed};
use super::{BESIDE, FORMAT, LINK_MAX, Link, LinkError, YES};
use crate::engine::knob::{ATTEMPTS_MAX, Dial, KNOBS, Knob};
use crate::engine::knobs::{Knobs, QueueKind};
use crate::scene::{CHAPTERS, DEFAULT_SEED};
use crate::session::STIMULI_MAX;
use crate::session::run::Placed;
use crate::session::story::Telling;
use std::borrow::Cow;

/// A knob of the run beside, where one is named, with the setting's name and its value.
type Beside<'a> = (Option<&'static Knob>, &'a str, &'a str);

impl Link {
    /// Reads a fragment, with or without its `#`, or the whole address that it is part of.
    ///
    /// # Errors
    /// Which part cannot be read, and what would do.
    pub fn parse(text: &str) -> Result<Link, LinkError> {
        if text.len() > LINK_MAX {
            return Err(LinkError::bare(
                "length",
                format!("at most {LINK_MAX} letters are read"),
            ));
        }
        let text = text.trim();
        let fragment = match text.split_once('#') {
            Some((_, fragment)) => fragment,
            None if text.contains("://") => {
                let wanted = format!("after the address comes #{FORMAT}/…");
                return Err(LinkError::bare("fragment", wanted));
            }
            None => text,
        };
        let fragment = decoded(fragment).ok_or_else(|| {
            LinkError::bare("percent signs", "copy the link once more, as it stands")
        })?;
        let (path, settings) = match fragment.split_once('?') {
            Some((path, settings)) => (path, Some(settings)),
            None => (&*fragment, None),
        };
        let mut link = read_path(path)?;
        let (mut seen, mut beside) = (Vec::new(), Vec::new());
        for setting in settings
            .into_iter()
            .flat_map(|settings| settings.split('&'))
        {
            link.take_in(setting, &mut seen, &mut beside)?;
        }
        // Now that all that these depend on is known.
        for (knob, name, value) in beside {
            let knobs = link.beside.get_or_insert_with(|| link.knobs.clone());
            if let Some(knob) = knob {
                turn(knob, knobs, name, value)?;
            }
        }
        // Nobody is there whose facts they are.
        if let (None, Some(cursor)) = (&link.beside, &mut link.cursor) {
            cursor.beside = 0;
        }
        let scene = link.chapter.scenes[link.scene];
        if scene.variant.is_none()
            && (link.variant_stimuli.is_some() || link.telling == Telling::Variant)
        {
            let wanted = format!("scene {} has no variant", link.scene + 1);
            return Err(LinkError::bare("variant", wanted));
        }
        if link
            .step
            .is_some_and(|step| step >= scene.beats(link.knobs.queue).count())
        {
            let wanted = format!("scene {} has fewer steps", link.scene + 1);
            return Err(LinkError::bare("step", wanted));
        }
        Ok(link)
    }

    /// One `name=value`.
    fn take_in<'a>(
        &mut self,
        setting: &'a str,
        seen: &mut Vec<&'a str>,
        beside: &mut Vec<Beside<'a>>,
    ) -> Result<(), LinkError> {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(LinkError::new("setting", setting, "write name=value"));
        };
        if seen.contains(&name) {
            return Err(LinkError::new(
                format!("second {}", quoted(name)),
                value,
                "say it once",
            ));
        }
        seen.push(name);
        let wrong = |wanted: String| LinkError::new(quoted(name), value, format!("write {wanted}"));
        match name {
            "seed" => self.seed = number(value).map_err(wrong)?,
            "do" => self.stimuli = self.placed(name, value)?,
            "variant-do" => self.variant_stimuli = Some(self.placed(name, value)?),
            "at" | "variant-at" => {
                if self.cursor.is_some() {
                    return Err(wrong("at or variant-at, not both".to_owned()));
                }
                self.cursor = Some(cursor(value).map_err(wrong)?);
                if name == "variant-at" {
                    self.telling = Telling::Variant;
                }
            }
            "step" => {
                let step: usize = number(value).map_err(wrong)?;
                let from_zero = step.checked_sub(1);
                self.step = Some(from_zero.ok_or_else(|| wrong("a number from 1".to_owned()))?);
            }
            BESIDE if value == YES => beside.push((None, name, value)),
            BESIDE => return Err(wrong(YES.to_owned())),
            _ => {
                let of_beside = name
                    .strip_prefix(BESIDE)
                    .and_then(|rest| rest.strip_prefix('-'));
                let word = of_beside.unwrap_or(name);
                let Some(knob) = KNOBS.iter().find(|knob| knob.name == word) else {
                    let wanted = "this version knows no setting of this name; a later one may";
                    return Err(LinkError::new("setting", name, wanted));
                };
                match of_beside {
                    Some(_) => beside.push((Some(knob), name, value)),
                    None => turn(knob, &mut self.knobs, name, value)?,
                }
            }
        }
        Ok(())
    }

    fn placed(&self, name: &str, value: &str) -> Result<Vec<Placed>, LinkError> {
        let mut stimuli: Vec<Placed> = Vec::new();
        for word in value.split(',') {
            let wrong = |wanted: String| LinkError::new(name, word, format!("write {wanted}"));
            if stimuli.len() == STIMULI_MAX {
                return Err(wrong(format!("at most {STIMULI_MAX} things done")));
            }
            let placed = placed(word, self.chapter).map_err(wrong)?;
            if stimuli.last().is_some_and(|last| last.at > placed.at) {
                return Err(wrong("what was done in order of time".to_owned()));
            }
            stimuli.push(placed);
        }
        Ok(stimuli)
    }
}

/// `1/control-loop/4`.
fn read_path(path: &str) -> Result<Link, LinkError> {
    let mut words = path.splitn(4, '/');
    let format = words.next().unwrap_or_default();
    if format != FORMAT {
        let wanted = format!("this version reads links that begin with {FORMAT}/");
        return Err(LinkError::new("format number", format, wanted));
    }
    let id = words.next().unwrap_or_default();
    let Some(&chapter) = CHAPTERS.iter().find(|chapter| chapter.id == id) else {
        let known: Vec<_> = CHAPTERS.iter().map(|chapter| chapter.id).collect();
        let known = known.join(" or ");
        return Err(LinkError::new("chapter", id, format!("write {known}")));
    };
    let scene = words.next().unwrap_or_default();
    let scenes = chapter.scenes.len();
    let wrong = || LinkError::new("scene", scene, format!("write a number from 1 to {scenes}"));
    let number = number::<usize>(scene).map_err(|_| wrong())?;
    if !(1..=scenes).contains(&number) {
        return Err(wrong());
    }
    if let Some(more) = words.next() {
        return Err(LinkError::new(
            "scene",
            more,
            "nothing but ? follows the number",
        ));
    }
    Ok(Link {
        chapter,
        scene: number - 1,
        knobs: chapter.knobs(number - 1),
        seed: DEFAULT_SEED,
        beside: None,
        stimuli: Vec::new(),
        variant_stimuli: None,
        telling: Telling::Main,
        cursor: None,
        step: None,
    })
}

/// Sets one knob, within its bounds.
fn turn(knob: &Knob, knobs: &mut Knobs, name: &str, value: &str) -> Result<(), LinkError> {
    let wrong = |wanted: String| LinkError::new(name, value, format!("write {wanted}"));
    set(knob, knobs, value).map_err(wrong)?;
    knob.check(knobs).map_err(|error| wrong(error.wanted))
}

/// Sets one knob; its bounds are checked afterwards.
fn set(knob: &Knob, knobs: &mut Knobs, value: &str) -> Result<(), String> {
    match &knob.dial {
        Dial::Queue => {
            let kinds = [QueueKind::ClientGo, QueueKind::Channel];
            let kind = kinds
                .into_iter()
                .find(|&kind| Knobs::queue_name(kind) == value);
            knobs.queue = kind.ok_or("client-go or channel")?;
        }
        Dial::Limiter => knobs.limiter = limiter(value)?,
        Dial::Duration(at, _) => *at(knobs) = duration(value)?,
        Dial::Count(at, range) => {
            *at(knobs) = number(value).map_err(|_| format!("a number up to {}", range.end()))?;
        }
        Dial::Workers(range) => {
            knobs.workers = number(value).map_err(|_| format!("a number up to {}", range.end()))?;
        }
        Dial::Permille(at) => *at(knobs) = number(value).map_err(|_| "a number up to 1000")?,
        Dial::Flag(at) => {
            *at(knobs) = match value {
                YES => true,
                "no" => false,
                _ => return Err("yes or no".to_owned()),
            }
        }
        Dial::Attempts => {
            knobs.failing_upgrades = match value {
                "chance" => None,
                "none" => Some(Vec::new()),
                list => {
                    let words = list.split(',').take(ATTEMPTS_MAX + 1);
                    let attempts = words.map(number).collect::<Result<_, _>>();
                    Some(attempts.map_err(|_| "attempts such as 2,3 or none")?)
                }
            };
        }
    }
    Ok(())
}

/// The text with `%2C` and the like made letters again; nothing, where that is no text.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digit = |place: usize| char::from(*after.get(place)?).to_digit(16);
            bytes.push((digit(0)? * 16 + digit(1)?) as u8);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
