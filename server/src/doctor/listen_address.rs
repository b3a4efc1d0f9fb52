//! Checks of the server's address and of encryption.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;

use super::{CheckContext, CheckResult};
use crate::config::{HttpConfig, MetricsAddress, Role};

const CHECK: &str = "listen address";

/// Remedy if passwords can be read on the network.
const TLS_REMEDY: &str = "set a certificate with --tls-cert and --tls-key, or use a TLS-terminating proxy with \
     --behind-tls and --listen on the loopback address";

/// Timeout for a request to a program that already uses the address.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum number of bytes to read from the response.
const MAX_RESPONSE_BYTES: usize = 16;

pub(super) async fn check(context: &CheckContext) -> Vec<CheckResult> {
    let http = &context.config.http;
    let scheme = if http.tls_files().is_some() { "https" } else { "http" };
    let metrics_result = match http.metrics_listen {
        MetricsAddress(Some(address)) => Some(check_address(address, scheme).await),
        MetricsAddress(None) => None,
    };
    if context.config.worker.role == Role::Worker {
        return vec![metrics_result.unwrap_or_else(|| CheckResult::ok(CHECK, "this process doesn't serve requests"))];
    }
    let mut results = vec![check_address(http.listen, scheme).await];
    results.extend(metrics_result);
    if http.tls_files().is_some() {
        results.push(CheckResult::ok("encryption", "the server terminates TLS itself"));
    } else if let Some(problem) = describe_unencrypted(http) {
        results.push(CheckResult::warning("encryption", problem, TLS_REMEDY));
    } else {
        results
            .push(CheckResult::ok("encryption", "reachable only from this machine or through a TLS-terminating proxy"));
    }
    results
}

fn describe_unencrypted(http: &HttpConfig) -> Option<String> {
    let reachable = || format!("{} is reachable from other machines without TLS", http.listen);
    http.is_unencrypted().then(|| reachable() + ": passwords and cookies can be intercepted")
}

/// Logs a warning if other machines reach the server without TLS.
pub fn warn_if_unencrypted(http: &HttpConfig) {
    if let Some(problem) = describe_unencrypted(http) {
        tracing::warn!(remedy = TLS_REMEDY, "{problem}");
    }
}

async fn check_address(address: SocketAddr, scheme: &str) -> CheckResult {
    match TcpListener::bind(address).await {
        Ok(_) => CheckResult::ok(CHECK, format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            if is_own_server(address, scheme).await {
                CheckResult::ok(CHECK, format!("a Leadscribe server is already running at {address}"))
            } else {
                CheckResult::error(
                    CHECK,
                    format!("another program is using {address}"),
                    "stop it, or choose another address with --listen",
                )
            }
        }
        Err(error) => CheckResult::error(
            CHECK,
            format!("can't listen on {address}: {error}"),
            "set --listen to an address of this machine; ports below 1024 require extra privileges",
        ),
    }
}

/// True if the program at the address responds like this server.
async fn is_own_server(address: SocketAddr, scheme: &str) -> bool {
    // A server that listens on all addresses also listens on the loopback address.
    let target = match address {
        SocketAddr::V4(_) if address.ip().is_unspecified() => SocketAddr::from(([127, 0, 0, 1], address.port())),
        SocketAddr::V6(_) if address.ip().is_unspecified() => {
            SocketAddr::from(([0, 0, 0, 0, 0, 0, 0, 1], address.port()))
        }
        other => other,
    };
    let client = reqwest::Client::builder().no_proxy().timeout(PROBE_TIMEOUT);
    // The request contains no secret, and the certificate doesn't match an address.
    let Ok(client) = client.tls_danger_accept_invalid_certs(true).build() else { return false };
    let Ok(response) = client.get(format!("{scheme}://{target}/healthz")).send().await else { return false };
    let has_request_id = response.headers().contains_key("x-request-id");
    has_request_id
        && matches!(crate::http_client::read_body(response, MAX_RESPONSE_BYTES).await, Ok(Some(body)) if body == b"ok\n")
}
