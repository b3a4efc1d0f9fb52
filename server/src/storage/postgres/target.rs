//! Where the database is and how it is reached: a URL as `libpq` understands it.

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

/// How long a server may take to accept a connection, unless the URL says otherwise. Those who wait are told that the store
/// is unavailable, rather than be kept waiting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long it may take after that to agree on TLS, to log in and to set the connection up: some exchanges of a message, and
/// the server may have to ask another about the user. With a `connect_timeout` in the URL, all is done in that.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// A server that answers nothing for so long gets a probe, and is taken for gone when it doesn't answer that either.
const KEEPALIVE: Duration = Duration::from_secs(15);
const PROBES: u32 = 3;

/// The port of a server whose port the URL doesn't name.
const DEFAULT_PORT: u16 = 5432;

/// What may follow the `?` beside `sslmode` and `sslrootcert`, which are read here.
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

/// The servers that connections are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The server that writes.
    Primary,
    /// A standby, which only reads.
    Replica,
}

/// A database and the way to it.
#[derive(Clone)]
pub(super) struct Target {
    config: Config,
    role: Role,
    /// None for a connection without TLS.
    tls: Option<ClientConfig>,
    /// How long a connection may take as a whole.
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
    /// Reads the URL of a primary; see [`Target::of`].
    pub(super) fn read(url: &str) -> Result<Self, OpenError> {
        Self::of(url, Role::Primary)
    }

    /// Reads a URL. No error cites it, for the password may stand anywhere in one that is wrong. Of several hosts, or addresses
    /// of a host, the first one that seems to have the role is connected to.
    pub(super) fn of(url: &str, role: Role) -> Result<Self, OpenError> {
        // What follows a stray `@` is part of the password, or taken for a host that is none.
        let hint =
            if url.matches('@').count() > 1 { "; write an `@` in a user's name or password as `%40`" } else { "" };
        let wrong = |why: &str| OpenError::Url(format!("{why}{hint}"));
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(wrong("it doesn't begin with `postgres://`"));
        }
        // A user's name and password come first, and may hold a `?`.
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
        // As with `libpq`, nothing is encrypted on its way through a socket file.
        let sockets = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        let local = sockets && config.get_hostaddrs().is_empty();
        config.ssl_mode(if local { SslMode::Disable } else { mode });
        // As with `libpq`, the time is for each host.
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

    /// Which database it is, and where, for people.
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
        // Without a name it is the one of the user's name.
        match self.config.get_dbname().or(self.config.get_user()) {
            Some(database) => format!("database {database} at {servers}"),
            None => format!("database at {servers}"),
        }
    }

    /// Which server connections are for.
    pub(super) fn role(&self) -> Role {
        self.role
    }

    /// How long a connection may take as a whole.
    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    /// Runs an attempt to connect, for no longer than a connection may take. Blocks.
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
            // No server is (or none isn't) in read-only mode, as far as the client asks: that is also a setting of a primary
            // under maintenance. Whether the server is a standby is asked when the connection is set up.
            Err(error) if is_of_other_mode(&error) => {
                connect(self.config.clone().target_session_attrs(TargetSessionAttrs::Any))
            }
            connected => connected,
        }
    }
}

/// Whether a server was reached that doesn't have the `target_session_attrs`.
fn is_of_other_mode(error: &postgres::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::PermissionDenied)
}

fn permitted() -> String {
    let all: Vec<_> = ["sslmode", "sslrootcert"].into_iter().chain(OPTIONS).collect();
    all.join(", ")
}

/// The options about TLS.
#[derive(Default)]
struct TlsOptions {
    mode: Option<String>,
    root: Option<String>,
}

impl TlsOptions {
    /// What they mean. `sslrootcert=system`, and `verify-ca` or `verify-full` without a file, trust whom the system trusts.
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
            // A file of certificates makes `libpq` look at the server's.
            Some("require" | "verify-ca") => (SslMode::Require, Verification::Chain(roots)),
            Some(_) => {
                return Err(wrong("its sslmode is not one of disable, prefer, require, verify-ca, verify-full"));
            }
        };
        Ok((mode, Some(tls::client_config(verification)?)))
    }
}
