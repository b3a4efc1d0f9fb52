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

use super::attempt::Attempts;
use super::error::{OpenError, Said};
use super::tls::{self, Roots, Verification};

/// Default time for a server to accept a TCP connection. Afterwards, requests fail as unavailable instead of waiting longer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Time for TLS, login and setup after that: a few round trips, and the server may have to query an authentication service. A
/// `connect_timeout` in the URL covers everything.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// Idle time before a TCP keepalive probe. A server that doesn't answer the probes counts as gone.
const KEEPALIVE: Duration = Duration::from_secs(15);
const PROBES: u32 = 3;

/// Default port.
const DEFAULT_PORT: u16 = 5432;

/// URL options besides `sslmode` and `sslrootcert`, which are parsed here.
const OPTIONS: [&str; 18] = [
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
    limit: Duration,
    attempts: Arc<Attempts>,
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
    /// Parses the URL of a primary; see [`Target::of`].
    pub(super) fn read(url: &str) -> Result<Self, OpenError> {
        Self::of(url, Role::Primary)
    }

    /// Parses a URL. Errors never quote it, because a wrong URL may contain the password anywhere. Of several hosts or addresses, the first
    /// that appears to have the role is used.
    pub(super) fn of(url: &str, role: Role) -> Result<Self, OpenError> {
        // Text after a stray `@` is part of the password, or is taken for a host name.
        let hint =
            if url.matches('@').count() > 1 { "; write an `@` in a user's name or password as `%40`" } else { "" };
        let wrong = |why: &str| OpenError::Url(format!("{why}{hint}"));
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(wrong("it doesn't begin with `postgres://`"));
        }
        // User and password come first and may contain a `?`.
        let host = url.find('@').unwrap_or(0);
        let (place, options) = match url[host..].find('?') {
            Some(mark) => (&url[..host + mark], &url[host + mark + 1..]),
            None => (url, ""),
        };
        if place.matches('@').count() > 1 {
            return Err(wrong("it has more than one `@` before the options"));
        }
        let mut tls = TlsOptions::default();
        let mut others = Vec::new();
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').ok_or_else(|| wrong("an option in it has no value"))?;
            let decoded = || percent_decode_str(value).decode_utf8().map_err(|_| wrong("an option in it is not UTF-8"));
            match name {
                "sslmode" => tls.mode = Some(decoded()?.into_owned()),
                "sslrootcert" => tls.root = Some(decoded()?.into_owned()),
                known if OPTIONS.contains(&known) => others.push(option),
                _ => return Err(wrong(&format!("an option in it is not one of {}", permitted()))),
            }
        }
        let mut config: Config = format!("{place}?{}", others.join("&")).parse().map_err(|_| {
            wrong(
                "it can't be read: in a user's name, a password or a path, write characters such as `@`, `:`, `/`, `?` \
                 and `%` as `%40`, `%3A`, `%2F`, `%3F` and `%25`",
            )
        })?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(wrong("it names no host"));
        }
        let (mode, tls) = tls.client_config()?;
        // Like `libpq`, connections through a socket file are not encrypted.
        let sockets = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        let local = sockets && config.get_hostaddrs().is_empty();
        config.ssl_mode(if local { SslMode::Disable } else { mode });
        // Like `libpq`, the timeout applies to each host.
        let hosts = config.get_hosts().len().max(config.get_hostaddrs().len()) as u32;
        let limit = match config.get_connect_timeout() {
            Some(granted) => *granted * hosts,
            None => {
                config.connect_timeout(CONNECT_TIMEOUT);
                CONNECT_TIMEOUT * hosts + HANDSHAKE_TIMEOUT
            }
        };
        if !others.iter().any(|option| option.starts_with("target_session_attrs=")) {
            config.target_session_attrs(match role {
                Role::Primary => TargetSessionAttrs::ReadWrite,
                Role::Replica => TargetSessionAttrs::ReadOnly,
            });
        }
        if config.get_application_name().is_none() {
            config.application_name("leadscribe");
        }
        if !others.iter().any(|option| option.starts_with("keepalives_")) {
            config.keepalives_idle(KEEPALIVE).keepalives_interval(KEEPALIVE).keepalives_retries(PROBES);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(KEEPALIVE * PROBES);
        }
        config.notice_callback(|notice| tracing::debug!(code = notice.code().code(), "{}", notice.message()));
        Ok(Self { config, role, tls: tls.filter(|_| !local), limit, attempts: Arc::default() })
    }

    /// Name and location of the database, for display.
    pub(super) fn place(&self) -> String {
        let (hosts, ports) = (self.config.get_hosts(), self.config.get_ports());
        let port = |number: usize| ports.get(number).or(ports.first()).copied().unwrap_or(DEFAULT_PORT);
        let named = hosts.iter().enumerate().map(|(number, host)| match host {
            Host::Tcp(name) => format!("{name}:{}", port(number)),
            Host::Unix(folder) => format!("{}:{}", folder.display(), port(number)),
        });
        let addresses = self.config.get_hostaddrs().iter().enumerate();
        let addressed = addresses.map(|(number, address)| format!("{address}:{}", port(number)));
        let servers: Vec<_> = if hosts.is_empty() { addressed.collect() } else { named.collect() };
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
    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    /// Runs a connection attempt within the time limit. Blocks.
    pub(super) fn attempt<T: Send + 'static>(
        &self,
        attempt: impl FnOnce(&Self) -> Result<T, OpenError> + Send + 'static,
    ) -> Result<T, OpenError> {
        let target = self.clone();
        let done = self.attempts.run(self.limit(), move || attempt(&target));
        done.unwrap_or_else(|| Err(OpenError::Postgres(Said::nothing(self.limit()))))
    }

    /// Connects. Blocks.
    pub(super) fn connect(&self) -> Result<Client, postgres::Error> {
        let connect = |config: &Config| match &self.tls {
            Some(tls) => config.connect(MakeRustlsConnect::new(tls.clone())),
            None => config.connect(NoTls),
        };
        let connected = connect(&self.config);
        match connected {
            // No host matched the requested read-only mode. A primary under maintenance can be read-only too, so connects to any; the setup
            // of the connection checks whether the server is a standby.
            Err(error) if is_of_other_mode(&error) => {
                connect(self.config.clone().target_session_attrs(TargetSessionAttrs::Any))
            }
            connected => connected,
        }
    }
}

/// True if a server was reached that doesn't match `target_session_attrs`.
fn is_of_other_mode(error: &postgres::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::PermissionDenied)
}

fn permitted() -> String {
    let all: Vec<_> = ["sslmode", "sslrootcert"].into_iter().chain(OPTIONS).collect();
    all.join(", ")
}

/// TLS options of the URL.
#[derive(Default)]
struct TlsOptions {
    mode: Option<String>,
    root: Option<String>,
}

impl TlsOptions {
    /// Converts the options to a TLS configuration. `sslrootcert=system`, and `verify-ca` or `verify-full` without a file, use the system's
    /// trusted certificates.
    fn client_config(&self) -> Result<(SslMode, Option<ClientConfig>), OpenError> {
        let wrong = |why: &str| OpenError::Url(why.to_owned());
        let of_system = self.root.as_deref() == Some("system");
        let roots = match &self.root {
            Some(path) if !of_system => Roots::File(path.into()),
            _ => Roots::System,
        };
        let (mode, verification) = match self.mode.as_deref() {
            None if of_system => (SslMode::Require, Verification::ChainAndName(roots)),
            Some("verify-full") => (SslMode::Require, Verification::ChainAndName(roots)),
            _ if of_system => return Err(wrong("`sslrootcert=system` needs `sslmode=verify-full`")),
            Some("disable") => return Ok((SslMode::Disable, None)),
            None | Some("prefer") => (SslMode::Prefer, Verification::None),
            Some("require") if self.root.is_none() => (SslMode::Require, Verification::None),
            // With a certificate file, `libpq` verifies the server's certificate even for `require`.
            Some("require" | "verify-ca") => (SslMode::Require, Verification::Chain(roots)),
            Some(_) => {
                return Err(wrong("its sslmode is not one of disable, prefer, require, verify-ca, verify-full"));
            }
        };
        Ok((mode, Some(tls::client_config(verification)?)))
    }
}
