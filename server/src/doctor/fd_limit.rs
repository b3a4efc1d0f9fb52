//! Check of the limit of open files.

use super::{CheckContext, CheckResult};
use crate::fd_limit;

pub(super) fn check(context: &CheckContext) -> CheckResult {
    let connections = context.config.http.max_connections;
    let required = fd_limit::required_fds(connections);
    match fd_limit::hard_limit() {
        Some(limit) if limit < required => CheckResult::warning(
            "file descriptors",
            format!("this user may open {limit}, but {required} are needed for {connections} connections"),
            "raise the server's limit (`LimitNOFILE=` in systemd, `ulimit -Hn`), or lower --max-connections",
        ),
        Some(limit) => CheckResult::ok(
            "file descriptors",
            format!("this process may open {limit}, which is enough for {connections} connections"),
        ),
        None => CheckResult::ok("file descriptors", "no limit"),
    }
}
