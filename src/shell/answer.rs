//! What a line asks for is done, and what is printed is made true: a chapter may not know the
//! object, a link may not hold it, the API server may refuse it.

use crate::console::{Reply, Request, error, refused};
use crate::engine::apiserver::{ApiError, Kind};
use crate::engine::knob::OutOfBounds;
use crate::engine::knobs::ControllerKind;
use crate::engine::record::Fact;
use crate::engine::stimulus::{Patch, Stimulus};
use crate::session::{Command, FULL, LINK_MAX, Session};

/// Does what the reply asks for, and prints what came of it. All of it, or nothing.
pub fn carry_out(reply: &mut Reply, session: &mut Session) {
    match stimuli(reply, session) {
        Err(why) => {
            *reply = Reply::default();
            reply.err(&why);
        }
        Ok(stimuli) => {
            let counts: Vec<usize> = stimuli.iter().map(Vec::len).collect();
            let all: Vec<Stimulus> = stimuli.into_iter().flatten().collect();
            if !all.is_empty() {
                session.apply(Command::DoAll(all));
                correct(reply, session, &counts);
            }
        }
    }
}

/// The stimuli of each request.
fn stimuli(reply: &Reply, session: &Session) -> Result<Vec<Vec<Stimulus>>, String> {
    let mut all = Vec::new();
    let mut room = LINK_MAX.saturating_sub(session.link().to_string().len());
    for request in &reply.requests {
        let stimuli = request.stimuli()?;
        for stimulus in &stimuli {
            if !session.chapter().offers(stimulus) {
                return Err(elsewhere(request, session));
            }
            if let Err(OutOfBounds { what, wanted }) = stimulus.check() {
                return error(format!(
                    "{what}: {wanted}, no more, so that a link can tell of it"
                ));
            }
            room = match room.checked_sub(length(stimulus)) {
                Some(room) => room,
                None => return error("a link can tell of so much, and this would be more"),
            };
        }
        all.push(stimuli);
    }
    if !session.has_room_for(all.iter().map(Vec::len).sum()) {
        return error(FULL);
    }
    Ok(all)
}

/// What is said of an object that the chapter does not know.
fn elsewhere(request: &Request, session: &Session) -> String {
    let chapter = session.chapter();
    match chapter.controller {
        ControllerKind::Database if request.kind() == Kind::DatabaseCluster => {
            let name = |key: &&'static str| key.split_once('/').map_or(*key, |(_, name)| name);
            let names: Vec<&str> = chapter.resources.iter().map(name).collect();
            format!(
                "error: this chapter's picture has room for {} only",
                names.join(" and ")
            )
        }
        _ => "error: this cluster's controller is not about such objects: they are in the other chapter"
            .to_owned(),
    }
}

/// About how long a stimulus is in a link; never shorter than that.
fn length(stimulus: &Stimulus) -> usize {
    let texts = |patch: &Patch| -> usize {
        let changes = [&patch.labels, &patch.annotations, &patch.data];
        let pairs = changes.into_iter().flat_map(|changes| changes.iter());
        pairs
            .map(|(name, value)| name.len() + value.as_deref().map_or(0, str::len) + 2)
            .sum()
    };
    let text = match stimulus {
        Stimulus::CreateConfigMap { manifest, .. } => texts(&manifest.patch()),
        Stimulus::Patch { patch, .. } => texts(patch),
        _ => 0,
    };
    // Escaped, a byte is three.
    3 * (text + stimulus.key().map_or(0, str::len)) + 64
}

/// What the API server refused is not printed as done. `counts`: so many stimuli each request was.
pub fn correct(reply: &mut Reply, session: &Session, counts: &[usize]) {
    let all = counts.iter().sum();
    let answers: Vec<Option<ApiError>> = session
        .run()
        .answers(all)
        .map(|answer| match answer.fact {
            Fact::Refused { error, .. } => Some(error),
            _ => None,
        })
        .collect();
    let mut end = answers.len();
    for (index, &count) in counts.iter().enumerate().rev() {
        let begin = end.saturating_sub(count);
        let error = answers[begin..end].iter().flatten().next();
        if let (Some(&error), true) = (error, index < reply.done.len()) {
            let request = &reply.requests[index];
            let key = request.key();
            let name = key.split_once('/').map_or(&*key, |(_, name)| name);
            let why = refused(error, request.kind(), name);
            reply.refuse(index, &why);
        }
        end = begin;
    }
}
