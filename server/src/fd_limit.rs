//! Limit of open file descriptors, which includes connections.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// File descriptors in addition to those of clients: database, panel files, recordings being played, log.
const RESERVED_FDS: u64 = 100;

/// Returns the number of file descriptors that a server with this many connections needs.
pub fn required_fds(connections: usize) -> u64 {
    connections as u64 + RESERVED_FDS
}

/// Returns the hard limit, or `None` if unlimited.
pub fn hard_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).maximum
}

/// Raises the soft limit to `requested`, or to the hard limit if that is lower. Systems default to 1,024 for programs that use `select`,
/// which can't handle more.
///
/// # Errors
/// The system refuses.
pub fn raise_to(requested: u64) -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let new_limit = maximum.map_or(requested, |hard_limit| hard_limit.min(requested));
    if current.is_some_and(|current| current < new_limit) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(new_limit), maximum })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rustix::process::{Resource, getrlimit};

    use super::{hard_limit, raise_to};

    #[test]
    fn raises_limit_up_to_maximum_and_never_lowers_it() {
        let current = || getrlimit(Resource::Nofile).current;
        let before = current().expect("the system has a limit");
        raise_to(before + 10).expect("permitted");
        let raised = hard_limit().map_or(before + 10, |maximum| maximum.min(before + 10));
        assert_eq!(current(), Some(raised));
        raise_to(1).expect("permitted");
        assert_eq!(current(), Some(raised));
    }
}
