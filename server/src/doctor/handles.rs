//! How many files and connections the process may have open.

use rustix::process::{Resource, getrlimit};

use super::{Finding, Setup};

/// Handles beside those of clients: the database, the panel's files, recordings that are played, the log.
const OWN: u64 = 100;

pub(super) fn check(setup: &Setup) -> Finding {
    let wanted = setup.config.http.max_connections as u64 + OWN;
    match getrlimit(Resource::Nofile).current {
        Some(limit) if limit < wanted => Finding::warning(
            "file handles",
            format!("this user may open {limit}, and {wanted} are wanted for {} connections", wanted - OWN),
            "raise the limit of the server (`LimitNOFILE=` of systemd, `ulimit -n`), or lower --max-connections",
        ),
        Some(limit) => Finding::ok(
            "file handles",
            format!("{limit}, as seen from here, are enough for {} connections", wanted - OWN),
        ),
        None => Finding::ok("file handles", "as many as wanted"),
    }
}
