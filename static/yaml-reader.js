// A worker beside the page: reads the YAML in the console's editor (src/bin/yaml-worker.rs). Loaded when the editor is
// opened first. A release names the two files by their content (script/split.mjs).

importScripts('yaml-worker.js');
wasm_bindgen({ module_or_path: 'yaml-worker_bg.wasm' }).catch((error) => {
  // Where nobody waits for it, a failure is none.
  setTimeout(() => {
    throw error;
  });
});
