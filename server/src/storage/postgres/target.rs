//! Where the database is and how it is reached: a URL as `libpq` understands it.

use std::fmt;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use postgres::config::{Host, SslMode};
use postgres::{Client, Config, NoTls};
use rustls::ClientConfig;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::OpenError;
use super::tls::{self, Roots, Verification};

/// How long a server may take to accept a connection, unless the URL says otherwise. Those who wait are told that the store
/// is unavailable, rather than be kept waiting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A server that answers nothing for so long gets a probe, and is taken for gone when it doesn't answer that either.
const KEEPALIVE: Duration = Duration::from_secs(15);
const PROBES: u32 = 3;

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

/// A database and the way to it.
pub(super) struct Target {
    config: Config,
    /// None for a connection without TLS.
    tls: Option<ClientConfig>,
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
    /// Reads a URL. No error cites it, for the password may stand anywhere in one that is wrong.
    pub(super) fn read(url: &str) -> Result<Self, OpenError> {
        let wrong = |why: &str| OpenError::Url(why.to_owned());
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(wrong("it doesn't begin with `postgres://`"));
        }
        // A user's name and password come first, and may hold a `?`.
        let host = url.find('@').unwrap_or(0);
        let (place, options) = match url[host..].find('?') {
            Some(mark) => (&url[..host + mark], &url[host + mark + 1..]),
            None => (url, ""),
        };
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
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
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
        Ok(Self { config, tls: tls.filter(|_| !local) })
    }

    /// Connects. Blocks.
    pub(super) fn connect(&self) -> Result<Client, postgres::Error> {
        match &self.tls {
            Some(tls) => self.config.connect(MakeRustlsConnect::new(tls.clone())),
            None => self.config.connect(NoTls),
        }
    }
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
