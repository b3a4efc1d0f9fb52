//! `leadscribe`: one program, one command per use.

use std::process::ExitCode;

use clap::Parser;
use leadscribe_server::cli;

fn main() -> ExitCode {
    cli::run(cli::Cli::parse()).unwrap_or_else(|error| {
        // The causes on one line, and no backtrace: this is for whoever called the program.
        eprintln!("leadscribe: {error:#}");
        ExitCode::FAILURE
    })
}
