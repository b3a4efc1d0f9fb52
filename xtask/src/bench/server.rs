//! The program under measurement: imports by its command, look-ups over HTTP on the loopback interface.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// How long the server may take to be ready.
const START_LIMIT: Duration = Duration::from_secs(30);

/// What an import took.
pub struct Import {
    /// From start to end of the process.
    pub took: Duration,
    /// The most memory it held at any time.
    pub peak_bytes: u64,
}

/// Runs `leadscribe import KIND FILE`.
pub fn import(program: &Path, data_dir: &Path, kind: &str, file: &Path) -> Result<Import> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(["import", kind])
        .arg(file)
        .arg("--data-dir")
        .arg(data_dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut peak_bytes = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        // The high-water mark only rises, so a late look loses little.
        peak_bytes = memory(child.id(), "VmHWM:").unwrap_or(peak_bytes);
        thread::sleep(Duration::from_millis(10));
    };
    ensure!(status.success(), "leadscribe import {kind} ended with {status}");
    Ok(Import { took: started.elapsed(), peak_bytes })
}

/// A running server, ended when dropped.
pub struct Server {
    process: Child,
    agent: ureq::Agent,
    url: String,
    authorization: String,
}

impl Server {
    /// Starts `leadscribe serve` on a free port and waits until it is ready.
    pub fn start(program: &Path, data_dir: &Path) -> Result<Self> {
        let key = Command::new(program)
            .args(["api-key", "create", "--name", "benchmark", "--scope", "leads:read", "--data-dir"])
            .arg(data_dir)
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(key.status.success(), "leadscribe api-key create ended with {}", key.status);
        let authorization = format!("Bearer {}", String::from_utf8(key.stdout)?.trim());

        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let process = Command::new(program)
            .args(["serve", "--listen", &address.to_string(), "--data-dir"])
            .arg(data_dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let server =
            Self { process, agent: ureq::Agent::new_with_defaults(), url: format!("http://{address}"), authorization };
        let deadline = Instant::now() + START_LIMIT;
        while server.agent.get(format!("{}/readyz", server.url)).call().is_err() {
            ensure!(Instant::now() < deadline, "the server wasn't ready after {START_LIMIT:?}");
            thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// `PUT /api/leads/extended-data`; the body of the answer.
    pub fn look_up(&self, body: &str) -> Result<Vec<u8>> {
        let mut answer = Vec::new();
        self.agent
            .put(format!("{}/api/leads/extended-data", self.url))
            .header("Authorization", &self.authorization)
            .content_type("application/json")
            .send(body)?
            .body_mut()
            .as_reader()
            .read_to_end(&mut answer)?;
        Ok(answer)
    }

    /// Memory the process holds now.
    pub fn resident_bytes(&self) -> Result<u64> {
        memory(self.process.id(), "VmRSS:").context("the server has ended")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A figure of `/proc/PID/status`, which Linux gives in KiB.
pub fn memory(pid: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
