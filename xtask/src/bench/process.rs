//! Child processes of the benchmark, which end with it.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use duct::cmd;

/// Time limit for a program to end by itself.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Returns an unused address on the loopback interface.
pub fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Running program.
pub struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a program. Its standard error goes into `log`, and its standard output too unless it is piped.
    pub fn start(command: &mut Command, log: &Path) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        let log_file = File::create(log).with_context(|| format!("can't write {}", log.display()))?;
        let child = command.stderr(log_file).spawn().with_context(|| format!("can't start {program}"))?;
        Ok(Self { child, log: log.to_owned() })
    }

    /// Waits until `is_ready` returns true; returns the elapsed time.
    pub fn wait_until(&mut self, timeout: Duration, mut is_ready: impl FnMut() -> bool) -> Result<Duration> {
        let started = Instant::now();
        while !is_ready() {
            if let Some(status) = self.child.try_wait()? {
                bail!("the process exited with {status}:\n{}", self.log_tail());
            }
            if started.elapsed() > timeout {
                bail!("the process wasn't ready after {} s:\n{}", timeout.as_secs(), self.log_tail());
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(started.elapsed())
    }

    /// Returns the end of the program's log.
    pub fn log_tail(&self) -> String {
        let log_text = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<_> = log_text.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }

    /// Returns the current memory of the process and its children.
    pub fn resident_bytes(&self) -> Option<u64> {
        let id = self.child.id();
        let own_bytes = memory_bytes(id, "VmRSS:")?;
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let child_bytes = |id: &str| memory_bytes(id.parse().ok()?, "VmRSS:");
        Some(own_bytes + children.split_whitespace().filter_map(child_bytes).sum::<u64>())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Terminated rather than killed, so that programs can end their own children. It may have ended already.
        drop(self.child.stdin.take());
        let _ = cmd!("kill", self.child.id().to_string()).stderr_null().unchecked().run();
        let started = Instant::now();
        while self.child.try_wait().is_ok_and(|status| status.is_none()) && started.elapsed() < EXIT_TIMEOUT {
            thread::sleep(POLL_INTERVAL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Running program that reads lines from standard input and writes lines to standard output.
pub struct LineProgram {
    // Dropped before the process, so that the process ends by itself.
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
    process: Process,
}

impl LineProgram {
    /// Starts a program, and waits until it prints `ready`.
    pub fn start(command: &mut Command, log: &Path) -> Result<Self> {
        let mut process = Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()), log)?;
        let stdin = process.child.stdin.take().context("no standard input")?;
        let stdout = process.child.stdout.take().context("no standard output")?;
        let mut program = Self { stdin, stdout: BufReader::new(stdout).lines(), process };
        let ready = program.read_line()?;
        ensure!(ready == "ready", "expected ready, found {ready:?}");
        Ok(program)
    }

    /// Writes a line to the program.
    pub fn write_line(&mut self, line: &str) -> Result<()> {
        writeln!(self.stdin, "{line}").with_context(|| self.process.log_tail())
    }

    /// Reads the next line from the program.
    pub fn read_line(&mut self) -> Result<String> {
        self.stdout
            .next()
            .with_context(|| format!("the process has ended:\n{}", self.process.log_tail()))?
            .map_err(Into::into)
    }

    /// Returns the current memory of the process and its children.
    pub fn resident_bytes(&self) -> Option<u64> {
        self.process.resident_bytes()
    }
}

/// Returns a command without environment variables for other servers of the same kind.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PG")) {
        command.env_remove(name);
    }
    command
}

/// Returns a value from `/proc/PID/status` in bytes; Linux reports KiB.
pub fn memory_bytes(pid: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
