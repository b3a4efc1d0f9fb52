//! Program without HTTP. It reads steps from standard input and prints one line for each.

use std::time::Duration;

use anyhow::Result;

use super::response::ResponseLayout;
use super::{ParsedResponse, Shape, Stores, System};
use crate::bench::load::Sample;
use crate::bench::process::{self, LineProgram};

/// Program that reads steps.
pub struct DirectProgram {
    name: &'static str,
    program: LineProgram,
}

impl DirectProgram {
    /// Starts a program, and waits until it has loaded its data.
    fn start(stores: &Stores, name: &'static str, args: &[&str]) -> Result<Self> {
        let mut command = process::command(stores.program(name));
        let program = LineProgram::start(command.args(args), &stores.log_file(name))?;
        Ok(Self { name, program })
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
        self.program.write_line(&format!("responses {}", shape.name))?;
        let mut responses = Vec::new();
        loop {
            let line = self.program.read_line()?;
            if line.is_empty() {
                return Ok(Some(responses));
            }
            responses.push(ParsedResponse::parse(line.as_bytes(), ResponseLayout::PEERS)?);
        }
    }

    fn run(&mut self, shape: &Shape, clients: usize, duration: Duration) -> Result<Sample> {
        self.program.write_line(&format!("run {} {clients} {}", shape.name, duration.as_secs_f64()))?;
        let line = self.program.read_line()?;
        let values: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let [p50, p99, per_second, bytes] = values[..] else { anyhow::bail!("expected four numbers, found {line:?}") };
        Ok(Sample { p50, p99, per_second, bytes })
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.program.resident_bytes()
    }
}

/// Starts hand-written SQL on SQLite with summary tables.
pub fn sqlite_tuned(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let [_, database] = stores.sqlite_files()?;
    Ok(vec![Box::new(DirectProgram::start(stores, "sqlite_tuned", &[&database, &stores.workload_file()])?)])
}
