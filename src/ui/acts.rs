//! The buttons that act on the cluster.

use super::header::StaticChapter;
use crate::engine::key::Keys;
use crate::engine::knobs::Knobs;
use crate::frame::{Picture, View};
use crate::session::{Command, Deed, DeedPlace, FULL, command_line};
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct ActsProps {
    pub chapter: StaticChapter,
    pub knobs: Rc<Knobs>,
    pub picture: Rc<Picture>,
    pub keys: Rc<Keys>,
    pub resource: &'static str,
    /// Has the run come to its limit?
    pub full: bool,
    /// Acts of the visitor that lie after the cursor.
    pub would_drop: usize,
    pub on_command: Callback<Command>,
    pub on_resource: Callback<&'static str>,
    pub children: Children,
}

#[component]
pub fn Acts(props: &ActsProps) -> Html {
    let group = |mishaps: bool| {
        let deeds = Deed::of(props.chapter.0.controller)
            .iter()
            .filter(move |deed| deed.is_mishap() == mishaps);
        deeds
            .map(|&deed| button(props, &props.picture.view, deed))
            .collect::<Html>()
    };
    html! {
        <section class="acts" aria-label="Act on the cluster">
            <div class="group">
                { resource_choice(props) }
                { group(false) }
            </div>
            <div class="group">{ group(true) }</div>
            { props.children.clone() }
            if props.would_drop > 0 {
                <p class="fork" role="status">
                    { match props.would_drop {
                        1 => "You are in the past. Acting here drops the one thing you did later; Undo brings it back.".to_owned(),
                        many => format!("You are in the past. Acting here drops the {many} things you did later; Undo brings them back."),
                    } }
                </p>
            }
        </section>
    }
}

fn button(props: &ActsProps, view: &View, deed: Deed) -> Html {
    let possible = match props.full {
        true => Err(FULL),
        false => deed.stimulus(&DeedPlace {
            resource: props.resource,
            chapter: props.chapter.0,
            knobs: &props.knobs,
            keys: &props.keys,
            view,
        }),
    };
    let label = deed.label(&props.knobs);
    let class = classes!(deed.is_mishap().then_some("mishap"));
    match possible {
        Ok(stimulus) => {
            let title = command_line(&stimulus, props.chapter.0.controller)
                .unwrap_or_else(|| deed.says().to_owned());
            let onclick = props
                .on_command
                .reform(move |_: MouseEvent| Command::Do(stimulus.clone()));
            html! { <button type="button" {class} {title} {onclick}>{ label }</button> }
        }
        Err(why) => {
            let id = format!("why-{deed:?}").to_ascii_lowercase();
            html! {
                <>
                    <button type="button" {class} aria-disabled="true" aria-describedby={id.clone()} title={why}>
                        { label }
                    </button>
                    <span {id} class="visually-hidden">{ why }</span>
                </>
            }
        }
    }
}

fn resource_choice(props: &ActsProps) -> Html {
    let resources = props.chapter.0.resources;
    let onchange = props.on_resource.reform(move |event: Event| {
        let chosen = event
            .target_unchecked_into::<HtmlSelectElement>()
            .selected_index();
        resources[usize::try_from(chosen)
            .unwrap_or(0)
            .min(resources.len() - 1)]
    });
    let options = resources.iter().map(|&resource| {
        let name = resource.split_once('/').map_or(resource, |(_, name)| name);
        html! { <option value={resource} selected={resource == props.resource}>{ name }</option> }
    });
    html! {
        <label class="pick-one">
        <select aria-label="Resource" title="The resource that the buttons act on" {onchange}>
            { for options }
        </select>
        </label>
    }
}
