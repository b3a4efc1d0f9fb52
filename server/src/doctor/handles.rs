//! Check of the limit of open files.

use super::{Finding, Setup};
use crate::handles;

pub(super) fn check(setup: &Setup) -> Finding {
    let connections = setup.config.http.max_connections;
    let wanted = handles::wanted(connections);
    match handles::permitted() {
        Some(limit) if limit < wanted => Finding::warning(
            "file handles",
            format!("this user may open {limit}, but {wanted} are needed for {connections} connections"),
            "raise the server's limit (`LimitNOFILE=` in systemd, `ulimit -Hn`), or lower --max-connections",
        ),
        Some(limit) => Finding::ok(
            "file handles",
            format!(
                "this process may open {limit}, which is enough for {connections} \
                 connections"
            ),
        ),
        None => Finding::ok("file handles", "no limit"),
    }
}
