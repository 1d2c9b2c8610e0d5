//! The command line that does to a real cluster what a stimulus does here.

use crate::engine::knobs::ControllerKind;
use crate::engine::stimulus::{Changes, Name, Patch, Stimulus};

/// The command, where there is one. A deletion has to be told which kind of object a chapter is
/// about.
pub fn command_line(stimulus: &Stimulus, controller: ControllerKind) -> Option<String> {
    let key = stimulus.key()?;
    let (namespace, name) = key.split_once('/').unwrap_or(("default", key));
    let place = match namespace {
        "default" => String::new(),
        _ => format!(" -n {namespace}"),
    };
    let of_database = |spec: String| {
        format!(
            "kubectl patch databasecluster {name}{place} --type merge -p '{{\"spec\":{{{spec}}}}}'"
        )
    };
    let kind = match controller {
        ControllerKind::Database => "databasecluster",
        ControllerKind::ConfigMap => "configmap",
    };
    Some(match stimulus {
        Stimulus::Create { .. } => format!("kubectl apply -f {name}.yaml{place}"),
        Stimulus::Scale { replicas, .. } => of_database(format!("\"replicas\":{replicas}")),
        Stimulus::Upgrade { version, .. } => of_database(format!("\"version\":\"{version}\"")),
        Stimulus::Delete { .. } => format!("kubectl delete {kind} {name}{place}"),
        Stimulus::CreateConfigMap { manifest, .. } => {
            let literal =
                |(name, value): &(Name, Name)| word(&format!("--from-literal={name}={value}"));
            let literals: String = manifest.data.iter().map(literal).collect();
            format!("kubectl create configmap {name}{place}{literals}")
        }
        Stimulus::ApplyConfigMap { .. } => format!("kubectl apply -f {name}.yaml{place}"),
        Stimulus::Patch { patch, .. } => {
            let Patch {
                labels,
                annotations,
                data,
            } = patch;
            match (labels.len(), annotations.len(), data.len()) {
                (1.., 0, 0) => format!("kubectl label {kind} {name}{place}{}", set(labels)),
                (0, 1.., 0) => {
                    format!("kubectl annotate {kind} {name}{place}{}", set(annotations))
                }
                _ => {
                    let patch = merge_patch(patch).replace('\'', r"'\''");
                    format!("kubectl patch {kind} {name}{place} --type merge -p '{patch}'")
                }
            }
        }
        _ => return None,
    })
}

/// The arguments of `kubectl label` and `annotate`.
fn set(changes: &Changes) -> String {
    let change = |(name, value): &(Name, Option<Name>)| match value {
        Some(value) => word(&format!("{name}={value}")),
        None => word(&format!("{name}-")),
    };
    let words: String = changes.iter().map(change).collect();
    let sets = changes.iter().any(|(_, value)| value.is_some());
    format!("{words}{}", if sets { " --overwrite" } else { "" })
}

/// A word after a blank, in quotes where a shell would make something else of it.
fn word(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./:=@%+,".contains(letter);
    match text.chars().all(plain) {
        true => format!(" {text}"),
        false => format!(" '{}'", text.replace('\'', r"'\''")),
    }
}

/// A merge patch as JSON.
fn merge_patch(patch: &Patch) -> String {
    let part = |name: &str, changes: &Changes| {
        let pair = |(name, value): &(Name, Option<Name>)| {
            let value = value.as_deref().map_or("null".to_owned(), quoted);
            format!("{}:{value}", quoted(name))
        };
        let pairs: Vec<String> = changes.iter().map(pair).collect();
        (!pairs.is_empty()).then(|| format!("{}:{{{}}}", quoted(name), pairs.join(",")))
    };
    let labels = part("labels", &patch.labels);
    let meta: Vec<String> = labels
        .into_iter()
        .chain(part("annotations", &patch.annotations))
        .collect();
    let meta = (!meta.is_empty()).then(|| format!("\"metadata\":{{{}}}", meta.join(",")));
    let parts: Vec<String> = meta.into_iter().chain(part("data", &patch.data)).collect();
    format!("{{{}}}", parts.join(","))
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is always JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_done_to_a_config_map_is_said_as_kubectl_takes_it() {
        let line = |stimulus: &Stimulus| command_line(stimulus, ControllerKind::ConfigMap);
        let label = |value| line(&Stimulus::label("default/hello", "managed-by", value));
        assert_eq!(
            label(None).as_deref(),
            Some("kubectl label configmap hello managed-by-")
        );
        assert_eq!(
            label(Some("me".into())).as_deref(),
            Some("kubectl label configmap hello managed-by=me --overwrite")
        );
        let patch = Patch {
            data: vec![
                ("greeting".into(), Some("\"hi\"".into())),
                ("old".into(), None),
            ]
            .into(),
            ..Patch::NONE
        };
        let patched = line(&Stimulus::Patch {
            key: "other/hello".into(),
            patch,
        });
        assert_eq!(
            patched.as_deref(),
            Some(
                r#"kubectl patch configmap hello -n other --type merge -p '{"data":{"greeting":"\"hi\"","old":null}}'"#
            )
        );
    }
}
