//! `cargo xtask bench panel`: time until the panel can be used after a reload and over a slow line, size of the first
//! load, Lighthouse ratings, and the cost of a keystroke in the filter editor. Runs in a browser on this machine with
//! the sample data.

use std::fs::{self, File};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};

use super::process::{self, Process};
use crate::project::Project;
use crate::{serve, setup};

/// Time limit for the server to load the sample data.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// Each page, and an element that shows it is ready to use.
const PAGES: [(&str, &str); 2] = [("/", "[data-test=bar]"), ("/leads", "[data-test=lead-row]")];

/// Arguments of `cargo xtask bench panel`.
#[derive(Args)]
pub struct Options {
    /// Number of loads and ratings per page; the median is reported.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Measure this program instead of building the workspace's.
    #[arg(long)]
    program: Option<PathBuf>,
}

/// Measures, and prints a table and Lighthouse's findings.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let browser = setup::browser::ensure()?;
    let node = setup::node::ensure()?;
    let script = setup::npm::ensure(project, "xtask/bench/panel", "bench/panel")?.join("measure.mjs");
    let program = match &options.program {
        Some(program) => program.clone(),
        None => serve::build(project)?,
    };
    let folder = tempfile::tempdir()?;
    let server = DemoServer::start(&program, folder.path())?;
    let pages: Vec<_> =
        PAGES.iter().map(|(path, ready_selector)| json!({ "path": path, "ready": ready_selector })).collect();
    let parameters = json!({
        "base": server.base_url,
        "email": server.email,
        "password": server.password,
        "chrome": browser.chrome,
        "rounds": options.rounds,
        "pages": pages,
    });
    let measurements = project.command(node, [script.into_os_string(), parameters.to_string().into()]).read()?;
    let measurements: Value = serde_json::from_str(&measurements)?;
    let pages = measurements["pages"].as_array().context("nothing was measured")?;
    println!("| page | accessibility | best practices | performance | reload to usable | first load |");
    println!("|---|--:|--:|--:|--:|--:|");
    for page in pages {
        let score = |category: &str| median(&page["scores"][category]);
        println!(
            "| {} | {:.0} | {:.0} | {:.0} | {:.0} ms | {:.0} kB |",
            page["path"].as_str().unwrap_or_default(),
            score("accessibility"),
            score("best-practices"),
            score("performance"),
            median(&page["reloads"]),
            page["bytes"].as_f64().unwrap_or_default() / 1000.0,
        );
    }
    for (description, times) in
        [("a key in the filter editor", &measurements["keys"]), ("the work after a pause", &measurements["pauses"])]
    {
        println!("\n{description}: {:.1} ms, at most {:.1} ms", median(times), maximum(times));
    }
    let slow_times = |name: &str| {
        let loads = measurements["slow"].as_array().into_iter().flatten();
        median(&loads.map(|load| load[name].clone()).collect()) / 1000.0
    };
    println!(
        "\nat 400 kbit/s and 400 ms: login form after {:.1} s, first leads {:.1} s after login",
        slow_times("form"),
        slow_times("list"),
    );
    for page in pages {
        for issue in page["issues"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            println!("{}: {issue}", page["path"].as_str().unwrap_or_default());
        }
    }
    Ok(())
}

/// The program with its sample data, which is removed with it.
struct DemoServer {
    base_url: String,
    email: String,
    password: String,
    _process: Process,
}

impl DemoServer {
    fn start(program: &Path, folder: &Path) -> Result<Self> {
        let address = process::free_address()?;
        let (stdout, log_path) = (folder.join("stdout"), folder.join("log"));
        let mut command = process::command(program);
        command.args(["serve", "--demo", "--recognizer", "off", "--listen", &address.to_string(), "--data-dir"]);
        command.arg(folder.join("data")).stdout(File::create(&stdout)?);
        let mut process = Process::start(&mut command, &log_path)?;
        let has_credentials = || fs::read_to_string(&stdout).is_ok_and(|stdout| stdout.contains("speech token"));
        process.wait_until(START_TIMEOUT, || has_credentials() && TcpStream::connect(address).is_ok())?;
        let stdout = fs::read_to_string(&stdout)?;
        let value = |name: &str| {
            let line = stdout.lines().find_map(|line| line.trim().strip_prefix(name));
            line.map(|value| value.trim().to_owned()).with_context(|| format!("the demo doesn't print {name}"))
        };
        let base = format!("http://{address}");
        Ok(Self { base_url: base, email: value("email")?, password: value("password")?, _process: process })
    }
}

/// Returns the largest of a list of numbers, or zero if it is empty.
fn maximum(numbers: &Value) -> f64 {
    numbers.as_array().into_iter().flatten().filter_map(Value::as_f64).fold(0.0, f64::max)
}

/// Returns the median of a list of numbers, or zero if it is empty.
fn median(numbers: &Value) -> f64 {
    let mut numbers: Vec<f64> = numbers.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_value() {
        assert_eq!(median(&json!([9.0, 1, 5])), 5.0);
        assert_eq!(median(&json!([])), 0.0);
        assert_eq!([maximum(&json!([1, 9.5, 5])), maximum(&json!([]))], [9.5, 0.0]);
    }
}
