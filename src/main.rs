//! The page: mounts the application.

/// Half the code of the standard library's allocator.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {
    loopscope::ui::watch_for_a_fall();
    yew::Renderer::<loopscope::ui::App>::new().render();
}
