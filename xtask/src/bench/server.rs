//! The program under measurement: imports by its command, and requests over HTTP on the loopback interface.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::http::{Connection, request};
use super::process::{self, Process, memory_bytes};

/// Time limit for the server to be ready, with its lead index at 10,000,000 leads.
const START_TIMEOUT: Duration = Duration::from_secs(300);

/// Log message when the lead index is ready.
const INDEX_READY_MESSAGE: &str = "lead index built";

pub struct ImportCost {
    /// Run time of the process.
    pub elapsed: Duration,
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
    fn command(&self, args: &[&str]) -> Command {
        let mut command = process::command(&self.program);
        command.args(args).arg("--data-dir").arg(&self.data_dir);
        if let Some(url) = &self.database_url {
            command.args(["--database-url", url]);
        }
        command
    }

    /// Runs `leadscribe import KIND FILE`.
    pub fn import(&self, kind: &str, file: &Path) -> Result<ImportCost> {
        let started = Instant::now();
        let file = file.to_str().context("expected a path in UTF-8")?;
        let mut child = self.command(&["import", kind, file]).stderr(Stdio::null()).spawn()?;
        let mut peak_bytes = 0;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            // The high-water mark only rises, so a late reading loses little.
            peak_bytes = memory_bytes(child.id(), "VmHWM:").unwrap_or(peak_bytes);
            thread::sleep(Duration::from_millis(10));
        };
        ensure!(status.success(), "leadscribe import {kind} ended with {status}");
        Ok(ImportCost { elapsed: started.elapsed(), peak_bytes })
    }

    /// Creates an API key, and starts `leadscribe serve` on a free port. Its output goes into `log`.
    pub fn serve(&self, log: &Path) -> Result<Server> {
        let scopes = ["--scope", "leads:read", "--scope", "leads:write"];
        let mut create_key = self.command(&["api-key", "create", "--name", "benchmark"]);
        let key_output = create_key.args(scopes).stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
        ensure!(
            key_output.status.success(),
            "can't create an API key: {}",
            String::from_utf8_lossy(&key_output.stderr)
        );
        let headers = format!("Authorization: Bearer {}\r\n", String::from_utf8(key_output.stdout)?.trim());

        let address = process::free_address()?;
        let mut command = self.command(&["serve", "--listen", &address.to_string()]);
        if !self.lead_index {
            command.args(["--lead-index", "off"]);
        }
        let mut process = Process::start(&mut command, log)?;
        let ready_request = request("GET", "/readyz", "", "");
        let is_ready = || Connection::open(address).and_then(|mut connection| connection.send(&ready_request)).is_ok();
        let mut startup_time = process.wait_until(START_TIMEOUT, is_ready)?;
        if self.lead_index {
            // Until the index is ready, searches use SQL.
            startup_time += process
                .wait_until(START_TIMEOUT, || log_contains(log, INDEX_READY_MESSAGE))
                .context("the lead index isn't ready")?;
        }
        Ok(Server { process, address, headers, startup_time })
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
    pub startup_time: Duration,
}

fn log_contains(log: &Path, message: &str) -> bool {
    fs::read_to_string(log).is_ok_and(|log| log.contains(message))
}
