//! The words that the picture is told in.

use super::App;
use crate::scene::{KUBERNETES, SKINS, Skin};
use crate::ui::browser;

impl App {
    /// What the visitor chose in this scene; else what the scene is told in; else what was chosen
    /// last. A chapter that has only the usual words keeps to them.
    pub(super) fn skin(&self) -> &'static Skin {
        let chapter = self.session.chapter();
        let (chosen, place) = self.skin;
        match chapter.scenes[self.session.scene()].skin {
            _ if chapter.skins.is_empty() => &KUBERNETES,
            Some(own) if place != Some(self.place()) => own,
            _ => chosen,
        }
    }
}

/// The words of the visit before.
pub(super) fn recalled_skin() -> &'static Skin {
    let kept = browser::recall("skin");
    let named = |skin: &&&Skin| Some(skin.id) == kept.as_deref();
    SKINS.iter().find(named).copied().unwrap_or(&KUBERNETES)
}
