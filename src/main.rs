//! The page: mounts the application.
fn main() {
    yew::Renderer::<loopscope::ui::App>::new().render();
}
