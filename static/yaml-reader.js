// A worker beside the page: reads the YAML in the console's editor (src/bin/yaml-worker.rs). Loaded when the editor is
// opened first. Its files have the same names in every release, so each is asked for with the release's name after it.

importScripts(`yaml-worker.js${location.search}`);
wasm_bindgen({ module_or_path: `yaml-worker_bg.wasm${location.search}` }).catch((error) => {
  // Where nobody waits for it, a failure is none.
  setTimeout(() => {
    throw error;
  });
});
