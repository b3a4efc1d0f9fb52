//! The program under measurement: imports by its command, and requests over HTTP on the loopback interface.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::http::{Connection, request};
use super::process::{self, Process, memory};

/// Time limit for the server to be ready, with its lead index at 10,000,000 leads.
const START_LIMIT: Duration = Duration::from_secs(300);

/// Log message when the lead index is ready.
const INDEX_IS_BUILT: &str = "lead index built";

/// Cost of an import.
pub struct Import {
    /// Run time of the process.
    pub took: Duration,
    /// Peak memory.
    pub peak_bytes: u64,
}

/// The program with its data.
pub struct Installation {
    /// Path of `leadscribe`.
    pub program: PathBuf,
    /// Data folder.
    pub data_dir: PathBuf,
    /// URL of the database, if it isn't in the data folder.
    pub database_url: Option<String>,
    /// True if the lead index is enabled.
    pub lead_index: bool,
}

impl Installation {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = process::command(&self.program);
        command.args(words).arg("--data-dir").arg(&self.data_dir);
        if let Some(url) = &self.database_url {
            command.args(["--database-url", url]);
        }
        command
    }

    /// Runs `leadscribe import KIND FILE`.
    pub fn import(&self, kind: &str, file: &Path) -> Result<Import> {
        let started = Instant::now();
        let file = file.to_str().context("expected a path in UTF-8")?;
        let mut child = self.command(&["import", kind, file]).stderr(Stdio::null()).spawn()?;
        let mut peak_bytes = 0;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            // The high-water mark only rises, so a late reading loses little.
            peak_bytes = memory(child.id(), "VmHWM:").unwrap_or(peak_bytes);
            thread::sleep(Duration::from_millis(10));
        };
        ensure!(status.success(), "leadscribe import {kind} ended with {status}");
        Ok(Import { took: started.elapsed(), peak_bytes })
    }

    /// Creates an API key, and starts `leadscribe serve` on a free port. Its output goes into `log`.
    pub fn serve(&self, log: &Path) -> Result<Server> {
        let scopes = ["--scope", "leads:read", "--scope", "leads:write"];
        let mut create = self.command(&["api-key", "create", "--name", "benchmark"]);
        let key = create.args(scopes).stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
        ensure!(key.status.success(), "no API key: {}", String::from_utf8_lossy(&key.stderr));
        let headers = format!("Authorization: Bearer {}\r\n", String::from_utf8(key.stdout)?.trim());

        let address = process::free_address()?;
        let mut serve = self.command(&["serve", "--listen", &address.to_string()]);
        if !self.lead_index {
            serve.args(["--lead-index", "off"]);
        }
        let mut process = Process::start(&mut serve, log)?;
        let ready = request("GET", "/readyz", "", "");
        let is_ready = || Connection::open(address).and_then(|mut connection| connection.ask(&ready)).is_ok();
        let mut started = process.wait_until(START_LIMIT, is_ready)?;
        if self.lead_index {
            // Until the index is ready, SQL answers.
            started += process.wait_until(START_LIMIT, || says(log, INDEX_IS_BUILT)).context("no lead index")?;
        }
        Ok(Server { process, address, headers, started })
    }
}

/// Running server. Stopped when dropped.
pub struct Server {
    /// Server process.
    pub process: Process,
    /// Listening address.
    pub address: SocketAddr,
    /// Authorization header as a complete line.
    pub headers: String,
    /// Time until ready, including the build of the lead index if enabled.
    pub started: Duration,
}

fn says(log: &Path, what: &str) -> bool {
    fs::read_to_string(log).is_ok_and(|log| log.contains(what))
}
