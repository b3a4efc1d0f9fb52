//! Limit of open file descriptors, which includes connections.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// File descriptors in addition to those of clients: database, panel files, recordings being played, log.
const OWN: u64 = 100;

/// Returns the number of file descriptors that a server with this many connections needs.
pub fn wanted(connections: usize) -> u64 {
    connections as u64 + OWN
}

/// Returns the hard limit, or `None` if unlimited.
pub fn permitted() -> Option<u64> {
    getrlimit(Resource::Nofile).maximum
}

/// Raises the soft limit to `wanted`, or to the hard limit if that is lower. Systems default to 1,024 for programs that use `select`, which
/// can't handle more.
///
/// # Errors
/// The system refuses.
pub fn take(wanted: u64) -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let taken = maximum.map_or(wanted, |most| most.min(wanted));
    if current.is_some_and(|current| current < taken) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(taken), maximum })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rustix::process::{Resource, getrlimit};

    use super::{permitted, take};

    #[test]
    fn raises_limit_up_to_maximum_and_never_lowers_it() {
        let current = || getrlimit(Resource::Nofile).current;
        let before = current().expect("systems set one");
        take(before + 10).expect("permitted");
        let raised = permitted().map_or(before + 10, |most| most.min(before + 10));
        assert_eq!(current(), Some(raised));
        take(1).expect("permitted");
        assert_eq!(current(), Some(raised));
    }
}
