//! Check of the limit of open files.

use super::{Finding, Setup};
use crate::handles;

pub(super) fn check(setup: &Setup) -> Finding {
    let connections = setup.config.http.max_connections;
    let wanted = handles::wanted(connections);
    match handles::permitted() {
        Some(limit) if limit < wanted => Finding::warning(
            "file handles",
            format!("this user may open {limit}, and {wanted} are wanted for {connections} connections"),
            "raise the limit of the server (`LimitNOFILE=` of systemd, `ulimit -Hn`), or lower --max-connections",
        ),
        Some(limit) => {
            Finding::ok("file handles", format!("{limit}, as seen from here, are enough for {connections} connections"))
        }
        None => Finding::ok("file handles", "as many as wanted"),
    }
}
