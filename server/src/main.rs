//! `leadscribe`: a single binary with subcommands.

use std::process::ExitCode;

use leadscribe_server::cli;
use mimalloc::MiMalloc;

/// A page of leads has about ten thousand small strings, each allocated and freed. With the system's allocator, that takes a fifth of the
/// response time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run(cli::Cli::parse_args()).unwrap_or_else(|error| {
        // Print all causes on one line, without a backtrace: this is for users of the command line.
        eprintln!("leadscribe: {error:#}");
        ExitCode::FAILURE
    })
}
