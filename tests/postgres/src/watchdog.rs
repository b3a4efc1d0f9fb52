//! Watchdog process: stops a server when the process that started it ends for any reason.

use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use crate::programs::Programs;

/// Waits for the end of its standard input, stops the server, and removes the folder.
const SCRIPT: &str = r#"
cat >/dev/null
"$1/pg_ctl" stop --silent --mode=immediate --pgdata="$2/data" >/dev/null 2>&1
rm -rf "$2"
"#;

/// Shell that guards a cluster's folder. Its standard input ends when this value is dropped, and also when the process
/// ends without dropping it: by `exit`, which drops no statics, by a signal, or by `kill -9`.
#[derive(Debug)]
pub struct Watchdog(Child);

impl Watchdog {
    /// Starts a watchdog for `folder`, whose server has its data in `data`.
    pub fn start(folder: &Path, programs: &Programs) -> Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut shell = programs.any_command("/bin/sh", Path::new("/"));
        // In its own process group, because an interrupt from the keyboard reaches the whole group.
        shell.args(["-c", SCRIPT, "sh"]).args([&programs.dir, folder]).process_group(0);
        let child = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        child.map(Self).context("can't start a shell")
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // A failure is ignored: the remaining files are in the folder for temporary files.
        let _ = self.0.wait();
    }
}
