//! What makes sure that no server outlives the process that started it, however that ends.

use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use crate::programs::Programs;

/// Waits until nobody holds its standard input any more, stops the server, and removes the folder.
const SCRIPT: &str = r#"
cat >/dev/null
"$1/pg_ctl" stop --silent --mode=immediate --pgdata="$2/data" >/dev/null 2>&1
rm -rf "$2"
"#;

/// A shell that looks after a cluster's folder. Its standard input ends when this is dropped, and also when the process
/// ends without dropping anything: by `exit`, which drops no statics, by a signal, by `kill -9`.
#[derive(Debug)]
pub struct Keeper(Child);

impl Keeper {
    /// Looks after `folder`, whose server has its data in `data`.
    pub fn of(folder: &Path, programs: &Programs) -> Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut shell = programs.any_command("/bin/sh", Path::new("/"));
        // In a group of its own, for an interrupt from the keyboard goes to the whole group.
        shell.args(["-c", SCRIPT, "sh"]).args([&programs.dir, folder]).process_group(0);
        let child = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        child.map(Self).context("can't start a shell")
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // It can't be helped if it fails: what is left lies in the folder for temporary files.
        let _ = self.0.wait();
    }
}
