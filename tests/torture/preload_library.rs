//! Shared libraries that override functions of the C library (`LD_PRELOAD`), so that a trial controls the disk.

use std::path::Path;
use std::process::Command;

/// Compiles a source below tests/torture into a shared library in `folder`, and returns its path.
pub fn compile(source: &str, folder: &Path) -> String {
    let library = folder.join("shim.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]).arg(&library);
    compiler.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("torture").join(source)).args(["-ldl", "-lpthread"]);
    let status = compiler.status().expect("a C compiler is missing; run `cargo xtask torture`");
    assert!(status.success());
    library.to_str().unwrap().to_owned()
}
