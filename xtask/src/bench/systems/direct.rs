//! Program without HTTP. It reads steps from standard input and prints one line for each.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::response::ResponseLayout;
use super::{ParsedResponse, Shape, Stores, System};
use crate::bench::load::Sample;
use crate::bench::process::{self, Process};

/// Program that reads steps.
pub struct DirectProgram {
    name: &'static str,
    // Dropped before the process, so that the process ends by itself.
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
    process: Process,
}

impl DirectProgram {
    /// Starts a program, and waits until it has loaded its data.
    fn start(stores: &Stores, name: &'static str, args: &[&str]) -> Result<Self> {
        let mut command = process::command(stores.program(name));
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process::start(&mut command, &stores.log_file(name))?;
        let stdin = process.child().stdin.take().context("no standard input")?;
        let stdout = process.child().stdout.take().context("no standard output")?;
        let mut direct = Self { name, stdin, stdout: BufReader::new(stdout).lines(), process };
        let ready = direct.read_line()?;
        ensure!(ready == "ready", "expected ready, found {ready:?}");
        Ok(direct)
    }

    fn send_step(&mut self, step: &str) -> Result<()> {
        writeln!(self.stdin, "{step}").with_context(|| self.process.log_tail())
    }

    fn read_line(&mut self) -> Result<String> {
        self.stdout
            .next()
            .with_context(|| format!("the process has ended:\n{}", self.process.log_tail()))?
            .map_err(Into::into)
    }
}

impl System for DirectProgram {
    fn name(&self) -> &str {
        self.name
    }

    fn is_http(&self) -> bool {
        false
    }

    fn responses(&mut self, shape: &Shape) -> Result<Option<Vec<ParsedResponse>>> {
        self.send_step(&format!("responses {}", shape.name))?;
        let mut responses = Vec::new();
        loop {
            let line = self.read_line()?;
            if line.is_empty() {
                return Ok(Some(responses));
            }
            responses.push(ParsedResponse::parse(line.as_bytes(), ResponseLayout::PEERS)?);
        }
    }

    fn run(&mut self, shape: &Shape, clients: usize, duration: Duration) -> Result<Sample> {
        self.send_step(&format!("run {} {clients} {}", shape.name, duration.as_secs_f64()))?;
        let line = self.read_line()?;
        let values: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let [p50, p99, per_second, bytes] = values[..] else { anyhow::bail!("expected four numbers, found {line:?}") };
        Ok(Sample { p50, p99, per_second, bytes })
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.process.resident_bytes()
    }
}

/// Starts hand-written SQL on SQLite with summary tables.
pub fn sqlite_tuned(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let [_, database] = stores.sqlite_files()?;
    Ok(vec![Box::new(DirectProgram::start(stores, "sqlite_tuned", &[&database, &stores.workload_file()])?)])
}
