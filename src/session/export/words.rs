//! What sections and deeds are called in a trace.

use crate::engine::controller::Section;
use crate::engine::stimulus::Stimulus;

pub fn section_name(section: Section) -> &'static str {
    match section {
        Section::Fetch => "fetch the desired state",
        Section::Observe => "observe the actual state",
        Section::Act => "compare and act",
        Section::Result => "result",
        Section::SplitKey => "split the key",
        Section::ReadCache => "read the cache",
        Section::Exists => "gone?",
        Section::Labelled => "labelled already?",
        Section::DeepCopy => "deep copy",
        Section::WriteBack => "write back",
    }
}

pub fn deed(stimulus: &Stimulus) -> String {
    let verb = match stimulus {
        Stimulus::Create { .. } => "create",
        Stimulus::Scale { replicas, .. } => {
            return format!("scale {} to {replicas}", stimulus.key().unwrap_or_default());
        }
        Stimulus::Upgrade { version, .. } => {
            return format!(
                "upgrade {} to {version}",
                stimulus.key().unwrap_or_default()
            );
        }
        Stimulus::Burst { .. } => "burst of writes to",
        Stimulus::Delete { .. } => "delete",
        Stimulus::KillReplica { .. } => "kill a replica of",
        Stimulus::RestartController => "restart the controller",
        Stimulus::FailNextUpgrade => "fail the next upgrade",
        Stimulus::CreateConfigMap { .. } => "create",
        Stimulus::ApplyConfigMap { .. } => "apply",
        Stimulus::Patch { .. } => "patch",
        Stimulus::CreateMany { name, count } => return format!("create {count} times {name}"),
        Stimulus::RefuseWrites { span } => return format!("refuse writes for {span}"),
        Stimulus::RefuseNext { writes } => return format!("refuse the next {writes} writes"),
        Stimulus::RefuseController => "refuse the controller's next write",
        Stimulus::SwallowReconcile => "skip the next reconcile's work",
        Stimulus::LoseEvent => "lose the next event",
        Stimulus::CloseWatch => "close the watch",
        Stimulus::ExpireWatch => "end the watch with 410",
    };
    [verb, stimulus.key().unwrap_or_default()]
        .join(" ")
        .trim_end()
        .to_owned()
}
