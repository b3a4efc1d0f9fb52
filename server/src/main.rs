//! `leadscribe`: one program, one command per use.

use std::process::ExitCode;

use leadscribe_server::cli;
use mimalloc::MiMalloc;

/// A page of leads is some ten thousand small texts, each made and dropped: the system's allocator takes a fifth of the time
/// of such an answer.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run(cli::Cli::read()).unwrap_or_else(|error| {
        // The causes on one line, and no backtrace: this is for whoever called the program.
        eprintln!("leadscribe: {error:#}");
        ExitCode::FAILURE
    })
}
