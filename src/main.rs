//! The page: mounts the application.
fn main() {
    loopscope::ui::watch_for_a_fall();
    yew::Renderer::<loopscope::ui::App>::new().render();
}
