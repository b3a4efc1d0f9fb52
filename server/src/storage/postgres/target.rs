//! Location of the database and how to connect, from a URL in `libpq`'s format.

use std::error::Error as _;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use postgres::config::{Host, SslMode, TargetSessionAttrs};
use postgres::{Client, Config, NoTls};
use rustls::ClientConfig;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::connection_attempts::ConnectionAttempts;
use super::error::{OpenError, ServerError};
use super::tls::{self, RootSource, Verification};

/// Default time for a server to accept a TCP connection. Afterwards, requests fail as unavailable instead of waiting longer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Additional time for TLS, login and setup: a few round trips, and the server may have to query an authentication service. A
/// `connect_timeout` in the URL replaces both limits.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// Idle time before the first TCP keepalive probe, and interval between probes.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// Number of unanswered probes after which a server counts as gone.
const KEEPALIVE_PROBES: u32 = 3;

const DEFAULT_PORT: u16 = 5432;

/// URL options besides `sslmode` and `sslrootcert`, which are parsed here.
const DRIVER_OPTIONS: [&str; 18] = [
    "user",
    "password",
    "dbname",
    "options",
    "application_name",
    "sslnegotiation",
    "host",
    "hostaddr",
    "port",
    "connect_timeout",
    "tcp_user_timeout",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "target_session_attrs",
    "channel_binding",
    "load_balance_hosts",
];

/// Role of the servers to connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Primary, which accepts writes.
    Primary,
    /// Standby, which only accepts reads.
    Replica,
}

/// A database and how to connect to it.
#[derive(Clone)]
pub(super) struct Target {
    config: Config,
    role: Role,
    /// `None` for connections without TLS.
    tls: Option<ClientConfig>,
    /// Limit on the total time to open a connection.
    time_limit: Duration,
    attempts: Arc<ConnectionAttempts>,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target")
            .field("hosts", &self.config.get_hosts())
            .field("ports", &self.config.get_ports())
            .field("database", &self.config.get_dbname())
            .field("tls", &self.tls.is_some())
            .finish()
    }
}

impl Target {
    /// Parses the URL of a primary; see [`Target::parse`].
    pub(super) fn parse_primary(url: &str) -> Result<Self, OpenError> {
        Self::parse(url, Role::Primary)
    }

    /// Parses a URL. Errors never quote it, because an invalid URL may contain the password anywhere. If it has several hosts, the first
    /// one that appears to have the role is used.
    pub(super) fn parse(url: &str, role: Role) -> Result<Self, OpenError> {
        // A stray `@` usually belongs to the password. The text after it would be parsed as a host name.
        let hint =
            if url.matches('@').count() > 1 { "; write an `@` in a user's name or password as `%40`" } else { "" };
        let url_error = |reason: &str| OpenError::Url(format!("{reason}{hint}"));
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(url_error("it doesn't begin with `postgres://`"));
        }
        // User and password come first and may contain a `?`.
        let host_start = url.find('@').unwrap_or(0);
        let (authority, options) = match url[host_start..].find('?') {
            Some(question_mark) => (&url[..host_start + question_mark], &url[host_start + question_mark + 1..]),
            None => (url, ""),
        };
        if authority.matches('@').count() > 1 {
            return Err(url_error("it has more than one `@` before the options"));
        }
        let mut tls = TlsOptions::default();
        let mut driver_options = Vec::new();
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').ok_or_else(|| url_error("it has an option without a value"))?;
            let decoded =
                || percent_decode_str(value).decode_utf8().map_err(|_| url_error("an option in it is not UTF-8"));
            match name {
                "sslmode" => tls.ssl_mode = Some(decoded()?.into_owned()),
                "sslrootcert" => tls.root_certificate = Some(decoded()?.into_owned()),
                option_name if DRIVER_OPTIONS.contains(&option_name) => driver_options.push(option),
                _ => return Err(url_error(&format!("an option in it is not one of {}", permitted_options()))),
            }
        }
        let mut config: Config = format!("{authority}?{}", driver_options.join("&")).parse().map_err(|_| {
            url_error(
                "it can't be read: in a user's name, a password or a path, write characters such as `@`, `:`, `/`, `?` \
                 and `%` as `%40`, `%3A`, `%2F`, `%3F` and `%25`",
            )
        })?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(url_error("it has no host"));
        }
        let (mode, tls) = tls.client_config()?;
        // Like `libpq`, connections through a socket file are not encrypted.
        let uses_only_sockets = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        let is_local = uses_only_sockets && config.get_hostaddrs().is_empty();
        config.ssl_mode(if is_local { SslMode::Disable } else { mode });
        // Like `libpq`, the timeout applies to each host.
        let hosts = config.get_hosts().len().max(config.get_hostaddrs().len()) as u32;
        let limit = match config.get_connect_timeout() {
            Some(timeout) => *timeout * hosts,
            None => {
                config.connect_timeout(CONNECT_TIMEOUT);
                CONNECT_TIMEOUT * hosts + HANDSHAKE_TIMEOUT
            }
        };
        if !driver_options.iter().any(|option| option.starts_with("target_session_attrs=")) {
            config.target_session_attrs(match role {
                Role::Primary => TargetSessionAttrs::ReadWrite,
                Role::Replica => TargetSessionAttrs::ReadOnly,
            });
        }
        if config.get_application_name().is_none() {
            config.application_name("leadscribe");
        }
        if !driver_options.iter().any(|option| option.starts_with("keepalives_")) {
            config
                .keepalives_idle(KEEPALIVE_INTERVAL)
                .keepalives_interval(KEEPALIVE_INTERVAL)
                .keepalives_retries(KEEPALIVE_PROBES);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(KEEPALIVE_INTERVAL * KEEPALIVE_PROBES);
        }
        config.notice_callback(|notice| tracing::debug!(code = notice.code().code(), "{}", notice.message()));
        Ok(Self { config, role, tls: tls.filter(|_| !is_local), time_limit: limit, attempts: Arc::default() })
    }

    /// Name and location of the database, for display.
    pub(super) fn location(&self) -> String {
        let (hosts, ports) = (self.config.get_hosts(), self.config.get_ports());
        let port = |index: usize| ports.get(index).or(ports.first()).copied().unwrap_or(DEFAULT_PORT);
        let named_servers = hosts.iter().enumerate().map(|(index, host)| match host {
            Host::Tcp(name) => format!("{name}:{}", port(index)),
            Host::Unix(folder) => format!("{}:{}", folder.display(), port(index)),
        });
        let addresses = self.config.get_hostaddrs().iter().enumerate();
        let addressed_servers = addresses.map(|(index, address)| format!("{address}:{}", port(index)));
        let servers: Vec<_> = if hosts.is_empty() { addressed_servers.collect() } else { named_servers.collect() };
        let servers = servers.join(", ");
        // The database name defaults to the user name.
        match self.config.get_dbname().or(self.config.get_user()) {
            Some(database) => format!("database {database} at {servers}"),
            None => format!("database at {servers}"),
        }
    }

    /// Role of the servers to connect to.
    pub(super) fn role(&self) -> Role {
        self.role
    }

    /// Limit on the total time to open a connection.
    pub(super) fn time_limit(&self) -> Duration {
        self.time_limit
    }

    /// Runs a connection attempt within the time limit. Blocks.
    pub(super) fn attempt<T: Send + 'static>(
        &self,
        attempt: impl FnOnce(&Self) -> Result<T, OpenError> + Send + 'static,
    ) -> Result<T, OpenError> {
        let target = self.clone();
        let result = self.attempts.run(self.time_limit(), move || attempt(&target));
        result.unwrap_or_else(|| Err(OpenError::Postgres(ServerError::timed_out(self.time_limit()))))
    }

    /// Connects. Blocks.
    pub(super) fn connect(&self) -> Result<Client, postgres::Error> {
        let connect = |config: &Config| match &self.tls {
            Some(tls) => config.connect(MakeRustlsConnect::new(tls.clone())),
            None => config.connect(NoTls),
        };
        let result = connect(&self.config);
        match result {
            // No host matched the requested mode. A primary under maintenance can be read-only too, so connect to any host; the setup
            // of the connection checks whether the server is a standby.
            Err(error) if is_session_attrs_mismatch(&error) => {
                connect(self.config.clone().target_session_attrs(TargetSessionAttrs::Any))
            }
            result => result,
        }
    }
}

/// True if a server was reached that doesn't match `target_session_attrs`.
fn is_session_attrs_mismatch(error: &postgres::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::PermissionDenied)
}

fn permitted_options() -> String {
    let options: Vec<_> = ["sslmode", "sslrootcert"].into_iter().chain(DRIVER_OPTIONS).collect();
    options.join(", ")
}

/// TLS options of the URL.
#[derive(Default)]
struct TlsOptions {
    ssl_mode: Option<String>,
    root_certificate: Option<String>,
}

impl TlsOptions {
    /// Converts the options to a TLS configuration. `sslrootcert=system`, and `verify-ca` or `verify-full` without a file, use the system's
    /// trusted certificates.
    fn client_config(&self) -> Result<(SslMode, Option<ClientConfig>), OpenError> {
        let url_error = |reason: &str| OpenError::Url(reason.to_owned());
        let uses_system_roots = self.root_certificate.as_deref() == Some("system");
        let roots = match &self.root_certificate {
            Some(path) if !uses_system_roots => RootSource::File(path.into()),
            _ => RootSource::System,
        };
        let (mode, verification) = match self.ssl_mode.as_deref() {
            None if uses_system_roots => (SslMode::Require, Verification::ChainAndName(roots)),
            Some("verify-full") => (SslMode::Require, Verification::ChainAndName(roots)),
            _ if uses_system_roots => return Err(url_error("`sslrootcert=system` needs `sslmode=verify-full`")),
            Some("disable") => return Ok((SslMode::Disable, None)),
            None | Some("prefer") => (SslMode::Prefer, Verification::None),
            Some("require") if self.root_certificate.is_none() => (SslMode::Require, Verification::None),
            // With a certificate file, `libpq` verifies the server's certificate even for `require`.
            Some("require" | "verify-ca") => (SslMode::Require, Verification::Chain(roots)),
            Some(_) => {
                return Err(url_error("its sslmode is not one of disable, prefer, require, verify-ca, verify-full"));
            }
        };
        Ok((mode, Some(tls::client_config(verification)?)))
    }
}
