//! The reconcile function as one would write it, in Go and in Rust, cut into its four sections.
//!
//! Names and signatures are those of controller-runtime and of kube-rs. `Nodes` stands for
//! whatever client runs the databases. Both do what the engine's reconciler does, in its order.

use crate::engine::controller::Section;

/// A language to read it in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Go,
    Rust,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::Go, Language::Rust];

    pub fn name(self) -> &'static str {
        match self {
            Language::Go => "Go",
            Language::Rust => "Rust",
        }
    }

    /// The function, in order.
    pub fn listing(self) -> &'static [Block] {
        match self {
            Language::Go => &GO,
            Language::Rust => &RUST,
        }
    }

    /// What the reader should know besides.
    pub fn remark(self) -> &'static str {
        match self {
            Language::Go => {
                "In the style of Kubebuilder. An error that is returned is a requeue: the work queue's limiter says when."
            }
            Language::Rust => {
                "In the style of kube-rs, which hands over the object itself and never calls reconcile for one that is gone: a finalizer holds the object until it is cleaned up. An error goes to your error_policy, which says when to try again."
            }
        }
    }
}

/// Lines that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// None: around the sections.
    pub section: Option<Section>,
    pub code: &'static str,
}

/// What a section does, in words.
pub fn purpose(section: Section) -> &'static str {
    match section {
        Section::Fetch => "fetch desired state",
        Section::Observe => "observe actual state",
        Section::Act => "compare and act",
        Section::Result => "say what comes next",
        Section::SplitKey => "split the key",
        Section::ReadCache => "read the cache",
        Section::Exists => "gone? done",
        Section::Labelled => "labelled already? done",
        Section::DeepCopy => "deep copy",
        Section::WriteBack => "write back",
    }
}

const fn around(code: &'static str) -> Block {
    Block {
        section: None,
        code,
    }
}

const fn of(section: Section, code: &'static str) -> Block {
    Block {
        section: Some(section),
        code,
    }
}

static GO: [Block; 6] = [
    around(
        "func (r *Reconciler) Reconcile(ctx context.Context,
    req ctrl.Request) (ctrl.Result, error) {",
    ),
    of(
        Section::Fetch,
        "    var db demov1.DatabaseCluster
    if err := r.Get(ctx, req.NamespacedName, &db); err != nil {
        if client.IgnoreNotFound(err) != nil {
            return ctrl.Result{}, err
        }
        return ctrl.Result{}, r.Nodes.CleanUp(ctx, req.NamespacedName)
    }",
    ),
    of(
        Section::Observe,
        "    actual, err := r.Nodes.Observe(ctx, req.NamespacedName)
    if err != nil {
        return ctrl.Result{}, err
    }",
    ),
    of(
        Section::Act,
        "    acted := false
    if actual.Version != db.Spec.Version {
        if err := r.Nodes.Upgrade(ctx, &db); err != nil {
            return ctrl.Result{}, err
        }
        acted = true
    }
    if actual.Replicas != db.Spec.Replicas {
        if err := r.Nodes.Scale(ctx, &db); err != nil {
            return ctrl.Result{}, err
        }
        acted = true
    } else if !actual.Healthy && actual.Replicas > 0 {
        if err := r.Nodes.Recover(ctx, &db); err != nil {
            return ctrl.Result{}, err
        }
    }",
    ),
    of(
        Section::Result,
        "    if acted {
        return ctrl.Result{RequeueAfter: r.VerifyAfter}, nil
    }
    return ctrl.Result{}, nil",
    ),
    around("}"),
];

static RUST: [Block; 7] = [
    around(
        "async fn reconcile(db: Arc<DatabaseCluster>, ctx: Arc<Context>) -> Result<Action, Error> {",
    ),
    of(
        Section::Fetch,
        "    let namespace = db.namespace().unwrap_or_default();
    let api = Api::<DatabaseCluster>::namespaced(ctx.client.clone(), &namespace);
    finalizer(&api, \"loopscope.dev/nodes\", db, |event| async {
        match event {
            Event::Apply(db) => apply(&db, &ctx).await,
            Event::Cleanup(db) => ctx.nodes.clean_up(&db).await,
        }
    })
    .await
    .map_err(|error| Error::Finalizer(Box::new(error)))",
    ),
    around(
        "}

async fn apply(db: &DatabaseCluster, ctx: &Context) -> Result<Action, Error> {",
    ),
    of(
        Section::Observe,
        "    let actual = ctx.nodes.observe(db).await?;
    let mut acted = false;",
    ),
    of(
        Section::Act,
        "    if actual.version != db.spec.version {
        ctx.nodes.upgrade(db).await?;
        acted = true;
    }
    if actual.replicas != db.spec.replicas {
        ctx.nodes.scale(db).await?;
        acted = true;
    } else if !actual.healthy && actual.replicas > 0 {
        ctx.nodes.recover(db).await?;
    }",
    ),
    of(
        Section::Result,
        "    Ok(if acted {
        Action::requeue(ctx.verify_after)
    } else {
        Action::await_change()
    })",
    ),
    around("}"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_listing_has_every_section_once_and_in_order() {
        for language in Language::ALL {
            let sections: Vec<Section> = language
                .listing()
                .iter()
                .filter_map(|block| block.section)
                .collect();
            assert_eq!(sections, Section::ALL, "{}", language.name());
            let lines: Vec<&str> = language
                .listing()
                .iter()
                .flat_map(|block| block.code.lines())
                .collect();
            assert!(lines.len() <= 40 && lines.iter().all(|line| line.len() <= 90));
            let code = lines.join("\n");
            for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
                assert_eq!(code.matches(open).count(), code.matches(close).count());
            }
        }
    }
}
