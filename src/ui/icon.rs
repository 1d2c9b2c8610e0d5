//! Icons, drawn inline: no emoji, no font.

use yew::prelude::*;

#[derive(Clone, Copy, PartialEq)]
pub enum Glyph {
    Logo,
    Play,
    Pause,
    PlayBack,
    StepBack,
    StepForward,
    ReconcileBack,
    ReconcileForward,
    Restart,
    Undo,
    Redo,
    Theme,
    Compare,
    Share,
}

/// An icon beside a name: hidden from screen readers.
pub fn icon(glyph: Glyph) -> Html {
    let (filled, path) = match glyph {
        Glyph::Logo => (false, "M17 6.4A7.6 7.6 0 1 0 17.6 10M17.9 2.9l-.7 4-3.9-.8"),
        Glyph::Play => (true, "M6 3.5v13l10.5-6.5z"),
        Glyph::Pause => (true, "M5 3.5h3.6v13H5zM11.4 3.5H15v13h-3.6z"),
        Glyph::PlayBack => (true, "M14 3.5v13L3.5 10z"),
        Glyph::StepBack => (true, "M5 4h2.4v12H5zM15.5 4v12L8 10z"),
        Glyph::StepForward => (true, "M12.6 4H15v12h-2.4zM4.5 4v12l7.5-6z"),
        Glyph::ReconcileBack => (true, "M3 4h2v12H3zM12 4v12l-6-6zM18 4v12l-6-6z"),
        Glyph::ReconcileForward => (true, "M15 4h2v12h-2zM8 4v12l6-6zM2 4v12l6-6z"),
        Glyph::Restart => (false, "M4.5 10a5.7 5.7 0 1 0 2-4.3M4.2 3.4l.4 3.7 3.6-.5"),
        Glyph::Undo => (false, "M4 8h8a4 4 0 0 1 0 8H8M7 4.5 3.5 8 7 11.5"),
        Glyph::Redo => (false, "M16 8H8a4 4 0 0 0 0 8h4M13 4.5 16.5 8 13 11.5"),
        Glyph::Compare => (false, "M3 4h14v4.5H3zM3 11.5h14V16H3z"),
        Glyph::Share => (false, "M10 12.5V3.2M6.5 6.5 10 3l3.5 3.5M4 11v5.5h12V11"),
        // A ring, one half of it full.
        Glyph::Theme => (
            true,
            "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 1 0 0-14.4zM10 15.4a5.4 5.4 0 0 1 0-10.8z",
        ),
    };
    html! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path class={filled.then_some("solid")} d={path} />
        </svg>
    }
}
