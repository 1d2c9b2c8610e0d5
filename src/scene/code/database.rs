//! Chapter one's reconcile function. `Nodes` stands for whatever client runs the databases.

use super::{Block, around, of};
use crate::engine::controller::Section;

pub(super) static GO: [Block; 6] = [
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

pub(super) static RUST: [Block; 7] = [
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
