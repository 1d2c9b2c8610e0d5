//! Chapter two's reconcile function, as a controller on client-go or on kube-rs's store has it.

use super::{Block, around, of};
use crate::engine::controller::Section;
use crate::engine::knobs::Knobs;

pub(super) fn go(knobs: &Knobs) -> Vec<Block> {
    let copy = match knobs.deep_copy {
        true => GO_COPY,
        false => GO_NO_COPY,
    };
    let write = match knobs.wait_on_conflict {
        true => GO_WRITE_CALMLY,
        false => GO_WRITE,
    };
    listing(&GO, copy, write)
}

pub(super) fn rust(knobs: &Knobs) -> Vec<Block> {
    let write = match knobs.wait_on_conflict {
        true => RUST_WRITE_CALMLY,
        false => RUST_WRITE,
    };
    listing(&RUST, RUST_COPY, write)
}

fn listing(before: &[Block], copy: &'static str, write: &'static str) -> Vec<Block> {
    let last = [
        of(Section::DeepCopy, copy),
        of(Section::WriteBack, write),
        around("}"),
    ];
    before.iter().copied().chain(last).collect()
}

static GO: [Block; 5] = [
    around("func (c *Controller) reconcile(ctx context.Context, key string) error {"),
    of(
        Section::SplitKey,
        "    namespace, name, err := cache.SplitMetaNamespaceKey(key)
    if err != nil {
        return err
    }",
    ),
    of(
        Section::ReadCache,
        "    cached, err := c.configMaps.ConfigMaps(namespace).Get(name)",
    ),
    of(
        Section::Exists,
        "    if apierrors.IsNotFound(err) {
        return nil
    } else if err != nil {
        return err
    }",
    ),
    of(
        Section::Labelled,
        "    if cached.Labels[\"managed-by\"] == \"configmap-controller\" {
        return nil
    }",
    ),
];

const GO_COPY: &str = "    wanted := cached.DeepCopy()
    if wanted.Labels == nil {
        wanted.Labels = map[string]string{}
    }
    wanted.Labels[\"managed-by\"] = \"configmap-controller\"";

const GO_NO_COPY: &str = "    wanted := cached // no copy: what follows is written into the cache
    if wanted.Labels == nil {
        wanted.Labels = map[string]string{}
    }
    wanted.Labels[\"managed-by\"] = \"configmap-controller\"";

const GO_WRITE: &str = "    _, err = c.client.CoreV1().ConfigMaps(namespace).
        Update(ctx, wanted, metav1.UpdateOptions{})
    return err";

const GO_WRITE_CALMLY: &str = "    _, err = c.client.CoreV1().ConfigMaps(namespace).
        Update(ctx, wanted, metav1.UpdateOptions{})
    if apierrors.IsConflict(err) {
        return nil // somebody has written: their event will bring the key back
    }
    return err";

static RUST: [Block; 5] = [
    around("async fn reconcile(key: &str, ctx: &Context) -> Result<(), Error> {"),
    of(
        Section::SplitKey,
        "    let (namespace, name) = key.split_once('/').ok_or(Error::Key)?;",
    ),
    of(
        Section::ReadCache,
        "    let cached = ctx.store.get(&ObjectRef::new(name).within(namespace));",
    ),
    of(
        Section::Exists,
        "    let Some(cached) = cached else {
        return Ok(());
    };",
    ),
    of(
        Section::Labelled,
        "    let by = cached.labels().get(\"managed-by\");
    if by.is_some_and(|by| by == \"configmap-controller\") {
        return Ok(());
    }",
    ),
];

const RUST_COPY: &str = "    let mut wanted = ConfigMap::clone(&cached);
    let labels = wanted.labels_mut();
    labels.insert(\"managed-by\".into(), \"configmap-controller\".into());";

const RUST_WRITE: &str =
    "    let api = Api::<ConfigMap>::namespaced(ctx.client.clone(), namespace);
    api.replace(name, &PostParams::default(), &wanted).await?;
    Ok(())";

const RUST_WRITE_CALMLY: &str =
    "    let api = Api::<ConfigMap>::namespaced(ctx.client.clone(), namespace);
    match api.replace(name, &PostParams::default(), &wanted).await {
        Err(kube::Error::Api(status)) if status.code == 409 => Ok(()), // an event comes
        written => Ok(written.map(drop)?),
    }";
