//! Handles: how many files and connections the process may have open.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Handles beside those of clients: the database, the panel's files, recordings that are played, the log.
const OWN: u64 = 100;

/// How many a server wants that takes so many connections.
pub fn wanted(connections: usize) -> u64 {
    connections as u64 + OWN
}

/// How many it can have; none where nothing bounds them.
pub fn permitted() -> Option<u64> {
    getrlimit(Resource::Nofile).maximum
}

/// Takes so many if they are permitted, or else all that are. Systems begin with 1,024 for the sake of programs that wait by
/// `select`, which can't count further.
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
    fn the_limit_is_raised_as_far_as_it_may_be_and_never_lowered() {
        let current = || getrlimit(Resource::Nofile).current;
        let before = current().expect("systems set one");
        take(before + 10).expect("permitted");
        let raised = permitted().map_or(before + 10, |most| most.min(before + 10));
        assert_eq!(current(), Some(raised));
        take(1).expect("permitted");
        assert_eq!(current(), Some(raised));
    }
}
