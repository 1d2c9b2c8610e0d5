//! The commands, and which of them a line means.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/cmd.go` and `github.com/spf13/cobra` (unknown commands, what was
//! probably meant, flags before the command).

use super::error::{error, quote};
use super::flag::{self, Flag, GLOBAL, Takes};
use super::{Call, Outcome, Reply, WorldView};
use super::{annotate, apply, create, delete, describe, get, label, patch, resource, scale};
use crate::engine::apiserver::Kind;

/// A command.
pub struct Verb {
    pub name: &'static str,
    /// What stands after `kubectl` in the line on usage.
    pub usage: &'static str,
    pub help: &'static str,
    pub flags: &'static [Flag],
    /// Words for which it is suggested.
    suggested_for: &'static [&'static str],
    run: fn(Call<'_>) -> Outcome,
}

const OVERWRITE: Flag = Flag::bool("overwrite", None, "Replace a value that is there.");
const ALL: Flag = Flag::bool("all", None, "All objects of the type.");
const OUTPUT: Flag = Flag::text("output", Some('o'), "wide, yaml, json or name.");
const FILENAME: Flag = Flag::text("filename", Some('f'), "- for what is in the editor.");

/// All commands, in the order of the help.
pub const VERBS: &[Verb] = &[
    Verb {
        name: "create",
        usage: "create configmap NAME [--from-literal=key1=value1]",
        help: "Create a config map from literal values",
        flags: &[Flag::text(
            "from-literal",
            None,
            "A key and its value: key=value.",
        )],
        suggested_for: &[],
        run: create::run,
    },
    Verb {
        name: "get",
        usage: "get [(-o|--output=)json|yaml|name|wide] (TYPE [NAME] | TYPE/NAME ...) [flags]",
        help: "Display one or many resources",
        flags: &[
            Flag::bool("all-namespaces", Some('A'), "In every namespace."),
            Flag::bool("no-headers", None, "No line of headings."),
            OUTPUT,
            Flag::bool("show-labels", None, "A column of labels."),
            Flag::bool("watch", Some('w'), "Then wait for changes and show them."),
        ],
        suggested_for: &["list", "ps"],
        run: get::run,
    },
    Verb {
        name: "describe",
        usage: "describe (TYPE [NAME_PREFIX] | TYPE/NAME)",
        help: "Show details of a specific resource or group of resources",
        flags: &[Flag::bool(
            "all-namespaces",
            Some('A'),
            "In every namespace.",
        )],
        suggested_for: &[],
        run: describe::run,
    },
    Verb {
        name: "label",
        usage: "label [--overwrite] TYPE NAME KEY_1=VAL_1 ... KEY_N=VAL_N [KEY-]",
        help: "Update the labels on a resource",
        flags: &[ALL, OVERWRITE],
        suggested_for: &[],
        run: label::run,
    },
    Verb {
        name: "annotate",
        usage: "annotate [--overwrite] TYPE NAME KEY_1=VAL_1 ... KEY_N=VAL_N [KEY-]",
        help: "Update the annotations on a resource",
        flags: &[ALL, OVERWRITE],
        suggested_for: &[],
        run: annotate::run,
    },
    Verb {
        name: "patch",
        usage: "patch TYPE NAME --type merge -p PATCH",
        help: "Update fields of a resource",
        flags: &[
            Flag::text("patch", Some('p'), "What to change, as JSON."),
            Flag::text("type", None, "merge, or strategic for config maps."),
        ],
        suggested_for: &[],
        run: patch::run,
    },
    Verb {
        name: "scale",
        usage: "scale --replicas=COUNT TYPE NAME",
        help: "Set a new size for a database cluster",
        flags: &[Flag::number("replicas", "The new number of replicas.")],
        suggested_for: &["resize"],
        run: scale::run,
    },
    Verb {
        name: "delete",
        usage: "delete TYPE [(NAME | --all)]",
        help: "Delete resources by resources and names",
        flags: &[ALL, OUTPUT],
        suggested_for: &["rm"],
        run: delete::run,
    },
    Verb {
        name: "apply",
        usage: "apply -f -",
        help: "Apply what is in the editor",
        flags: &[FILENAME],
        suggested_for: &[],
        run: apply::run,
    },
    Verb {
        name: "help",
        usage: "help [COMMAND]",
        help: "Help about any command",
        flags: &[],
        suggested_for: &[],
        run: help,
    },
];

/// kubectl has these, this console has not.
const ELSEWHERE: &str = " alpha api-resources api-versions attach auth autoscale certificate \
    cluster-info completion config cordon cp debug diff drain edit events exec explain expose \
    kustomize logs options plugin port-forward proxy replace rollout run set taint top uncordon \
    version wait ";

/// So has `kubectl create` with these, in full or in short.
const CREATED_ELSEWHERE: &str = " clusterrole clusterrolebinding cronjob cj deployment dep ingress \
    ing job namespace ns poddisruptionbudget pdb priorityclass pc quota resourcequota role \
    rolebinding secret service svc serviceaccount sa token ";

pub fn find(name: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.name == name)
}

/// Where the command's name stands: after flags that every command takes.
pub fn place(words: &[String]) -> Option<usize> {
    let mut place = 0;
    while let Some(word) = words.get(place) {
        if !word.starts_with('-') || word == "-" {
            return Some(place);
        }
        let takes_next = word == "-n" || word == "--namespace";
        place += 1 + usize::from(takes_next);
    }
    None
}

/// Runs the words of a command.
pub fn run(words: &[String], world: &WorldView, reply: &mut Reply) -> Outcome {
    let Some(place) = place(words) else {
        return match flag::parse(words, &[]) {
            Err(why) => error(format!("{why}\nSee 'kubectl --help' for usage.")),
            Ok(_) if words.is_empty() => Ok(()),
            Ok(_) => {
                overview(world, reply);
                Ok(())
            }
        };
    };
    let name = &words[place];
    let Some(verb) = find(name) else {
        return unknown(name);
    };
    let wrong_before = flag::parse(&words[..place], &[]).err();
    if let Some(why) = wrong_before {
        return error(format!("{why}\nSee 'kubectl --help' for usage."));
    }
    let rest = [&words[..place], &words[place + 1..]].concat();
    // Only one command has commands of its own.
    let under = match rest.first().map(String::as_str) {
        Some("configmap" | "cm") if verb.name == "create" => "create configmap",
        Some(what) if verb.name == "create" && is_among(what, CREATED_ELSEWHERE) => {
            return elsewhere(&format!("create {what}"));
        }
        _ => verb.name,
    };
    let flags = match flag::parse(&rest, verb.flags) {
        Ok(flags) => flags,
        Err(why) => return error(format!("{why}\nSee 'kubectl {under} --help' for usage.")),
    };
    if flags.is_set("help") {
        explain(verb, reply);
        return Ok(());
    }
    (verb.run)(Call {
        verb,
        flags,
        world,
        reply,
    })
}

/// Is it one of the words of a list?
fn is_among(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

fn elsewhere(command: &str) -> Outcome {
    error(format!(
        "kubectl has {}, this console has not. Try \"help\".",
        quote(command)
    ))
}

fn unknown(name: &str) -> Outcome {
    if is_among(name, ELSEWHERE) {
        return elsewhere(name);
    }
    let near = |verb: &&Verb| {
        let lower = name.to_ascii_lowercase();
        distance(&lower, verb.name) <= 2
            || verb.name.starts_with(&lower)
            || verb.suggested_for.contains(&&*lower)
    };
    let mut text = format!("unknown command {} for \"kubectl\"", quote(name));
    let meant: Vec<_> = VERBS.iter().filter(near).map(|verb| verb.name).collect();
    if !meant.is_empty() {
        text.push_str("\n\nDid you mean this?");
        for name in meant {
            text.push_str("\n\t");
            text.push_str(name);
        }
    }
    error(text)
}

/// Levenshtein's. Long words are far from every command.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 20 {
        return usize::from(u8::MAX);
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (n, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], n + 1);
        for (m, y) in b.bytes().enumerate() {
            let least = row[m].min(row[m + 1]) + 1;
            let cost = least.min(diagonal + usize::from(x != y));
            diagonal = std::mem::replace(&mut row[m + 1], cost);
        }
    }
    row[b.len()]
}

fn help(call: Call<'_>) -> Outcome {
    match call.args() {
        [] => overview(call.world, call.reply),
        [name, ..] => match find(name) {
            Some(verb) => explain(verb, call.reply),
            None => {
                let text = format!("Unknown help topic [`{name}`]\n\n");
                call.reply.err(&text);
                overview(call.world, call.reply);
            }
        },
    }
    Ok(())
}

fn overview(world: &WorldView, reply: &mut Reply) {
    reply.out("This console speaks a part of kubectl, to the cluster that you see.\n\nCommands:");
    for verb in VERBS {
        reply.out(&format!("  {:<10} {}", verb.name, verb.help));
    }
    let named = |kind: &Kind| format!("{} ({})", kind.plural(), resource::short(*kind));
    let types: Vec<String> = world.served.iter().map(named).collect();
    reply.out(&format!("\nTypes: {}\n", types.join(", ")));
    reply.out("Use \"kubectl <command> --help\" for more information about a given command.");
}

fn explain(verb: &Verb, reply: &mut Reply) {
    reply.out(&format!("{}.\n\nOptions:", verb.help));
    for flag in verb.flags.iter().chain(&GLOBAL) {
        let short = flag
            .short
            .map_or(String::new(), |short| format!("-{short}, "));
        let value = if flag.takes == Takes::Bool {
            ""
        } else {
            "=…"
        };
        let shown = format!("{short}--{}{value}", flag.name);
        reply.out(&format!("  {shown:<22} {}", flag.help));
    }
    reply.out(&format!("\nUsage:\n  kubectl {} [options]", verb.usage));
}
