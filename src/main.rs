//! The page: mounts the application.

/// 2.6 KB less to load than the standard library's allocator (docs/performance.md).
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {
    loopscope::ui::watch_for_a_fall();
    yew::Renderer::<loopscope::ui::Root>::new().render();
}
