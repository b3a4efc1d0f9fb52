//! Check of the limit of open files.

use super::{CheckContext, Finding};
use crate::fd_limit;

pub(super) fn check(context: &CheckContext) -> Finding {
    let connections = context.config.http.max_connections;
    let required = fd_limit::required_fds(connections);
    match fd_limit::hard_limit() {
        Some(limit) if limit < required => Finding::warning(
            "file handles",
            format!("this user may open {limit}, but {required} are needed for {connections} connections"),
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
