//! A server of one's own.

use std::fmt::Write;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use rand::RngExt;
use rand::distr::{Alphanumeric, SampleString};
use tempfile::TempDir;

use crate::client::sql;
use crate::keeper::Keeper;
use crate::programs::{Programs, run};

/// The superuser.
const USER: &str = "postgres";

/// Ports to choose from. Systems give higher ones to outgoing connections, from 32768 on at the earliest, so that nobody
/// gets the port of a server that is stopped for a while.
const PORTS: std::ops::Range<u16> = 10_000..32_000;

/// Somebody may take a port between the look at it and the server's start.
const START_ATTEMPTS: u32 = 5;

/// Seconds that a start or a stop may take. After an immediate stop under load the log must be read again first.
const PATIENCE: &str = "120";

/// What a server is for. The default suits tests that don't look at durability.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether what is committed must outlive the machine. Without it nothing waits for the disk.
    pub durable: bool,
    /// Further settings, with their values as `SHOW` gives them.
    pub settings: Vec<(String, String)>,
    /// Environment variables of the server.
    pub environment: Vec<(String, String)>,
}

/// How a server is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Connections are ended, and what they had not committed is undone.
    Fast,
    /// Everything ends at once, as in a crash; the next start recovers.
    Immediate,
}

/// A running server on a port of 127.0.0.1, with a superuser who has a random password. It stops, and its data go, when
/// this is dropped or the process ends.
#[derive(Debug)]
pub struct Cluster {
    // Dropped before the folder, which it uses.
    _keeper: Keeper,
    folder: TempDir,
    programs: Programs,
    options: Options,
    password: String,
    port: u16,
}

impl Cluster {
    /// Makes an empty cluster with the programs in `bin_dir`, and starts it. Takes about two seconds. Blocks.
    ///
    /// # Errors
    /// The programs aren't there or fail; what they printed is in the error.
    pub fn start(bin_dir: &Path, options: &Options) -> Result<Self> {
        let mut cluster =
            Self::prepare(Programs::new(bin_dir)?, options.clone(), Alphanumeric.sample_string(&mut rand::rng(), 24))?;
        cluster.init()?;
        cluster.configure()?;
        cluster.start_on_any_port()?;
        Ok(cluster)
    }

    /// Starts a hot standby that follows this server. It has the same databases and the same superuser. Blocks.
    ///
    /// # Errors
    /// This server isn't running, or the programs fail.
    pub fn replica(&self) -> Result<Self> {
        let mut replica = self.copy()?;
        replica.start_on_any_port()?;
        Ok(replica)
    }

    /// Starts a hot standby as [`Cluster::replica`] does, on a port that another server had. Blocks.
    ///
    /// # Errors
    /// See [`Cluster::replica`]; or the port is in use.
    pub fn replica_on(&self, port: u16) -> Result<Self> {
        let mut replica = self.copy()?;
        replica.port = port;
        replica.start_again()?;
        Ok(replica)
    }

    /// Promotes a standby: it can be written to, on a timeline of its own. Blocks until it can.
    ///
    /// # Errors
    /// It isn't a standby that runs.
    pub fn promote(&self) -> Result<()> {
        self.pg_ctl(&["promote"])
    }

    /// Ends the replication to this standby, which keeps what it has. Blocks.
    ///
    /// # Errors
    /// It isn't running.
    pub fn cut_off(&self) -> Result<()> {
        sql(&self.url(), "ALTER SYSTEM SET primary_conninfo = ''")?;
        sql(&self.url(), "SELECT pg_reload_conf()")?;
        while sql(&self.url(), "SELECT count(*) FROM pg_stat_wal_receiver")? != "0" {
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// The data of a standby of this server, which isn't started.
    fn copy(&self) -> Result<Self> {
        let replica = Self::prepare(self.programs.clone(), self.options.clone(), self.password.clone())?;
        let mut backup = replica.programs.command("pg_basebackup", replica.folder.path());
        backup.args(["--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--dbname", &self.url()]);
        backup.arg("--pgdata").arg(replica.folder.path().join("data"));
        if !self.options.durable {
            backup.arg("--no-sync");
        }
        run(&mut backup)?;
        Ok(replica)
    }

    /// The folder of the programs.
    pub fn bin_dir(&self) -> &Path {
        &self.programs.dir
    }

    /// The port of 127.0.0.1 that it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where the superuser finds the database `postgres`.
    pub fn url(&self) -> String {
        self.database_url("postgres")
    }

    /// Where the superuser finds a database.
    pub fn database_url(&self, database: &str) -> String {
        format!("postgres://{USER}:{}@127.0.0.1:{}/{database}", self.password, self.port)
    }

    /// Stops the server. Its data stay. Blocks.
    ///
    /// # Errors
    /// It isn't running, or doesn't stop.
    pub fn stop(&self, how: Shutdown) -> Result<()> {
        let mode = match how {
            Shutdown::Fast => "--mode=fast",
            Shutdown::Immediate => "--mode=immediate",
        };
        self.pg_ctl(&["stop", mode])
    }

    /// Starts the server again on the same port, once it was stopped. Blocks until it accepts connections.
    ///
    /// # Errors
    /// It doesn't start; the end of its log is in the error.
    pub fn start_again(&self) -> Result<()> {
        let log = self.folder.path().join("log");
        let port = format!("-p {}", self.port);
        let args = ["start", "--log", &log.to_string_lossy(), "--options", &port];
        self.pg_ctl(&args).with_context(|| last_lines(&log))
    }

    /// Stops the server and starts it again. Blocks.
    ///
    /// # Errors
    /// See [`Cluster::stop`] and [`Cluster::start_again`].
    pub fn restart(&self, how: Shutdown) -> Result<()> {
        self.stop(how)?;
        self.start_again()
    }

    /// A folder that somebody looks after, without a server.
    fn prepare(programs: Programs, options: Options, password: String) -> Result<Self> {
        let folder =
            tempfile::Builder::new().prefix("leadscribe-postgres-").tempdir().context("can't make a folder")?;
        programs.hand_over(folder.path())?;
        let keeper = Keeper::of(folder.path(), &programs)?;
        Ok(Self { _keeper: keeper, folder, programs, options, password, port: 0 })
    }

    fn init(&self) -> Result<()> {
        let password = self.folder.path().join("password");
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&password)?;
        file.write_all(self.password.as_bytes())?;
        self.programs.hand_over(&password)?;

        let init = |language: &[&str]| {
            let mut init = self.programs.command("initdb", self.folder.path());
            init.args(["--auth=scram-sha-256", "--encoding=UTF8", "--no-sync", "--username", USER]).args(language);
            init.arg("--pwfile").arg(&password).arg("--pgdata").arg(self.folder.path().join("data"));
            run(&mut init).map(drop)
        };
        // Most servers order texts as a language does: what relies on the order of bytes by mistake fails here too. Releases
        // before 15, and those built without ICU, refuse it and leave nothing behind.
        init(&["--locale=C", "--locale-provider=icu", "--icu-locale=en"]).or_else(|_| init(&["--locale=C"]))
    }

    fn configure(&self) -> Result<()> {
        let mut settings = vec![
            ("listen_addresses", "127.0.0.1"),
            // Their paths have a limit that folders for temporary files exceed on some machines.
            ("unix_socket_directories", ""),
            ("max_connections", "200"),
            ("shared_buffers", "64MB"),
            ("wal_level", "replica"),
            // Half an hour off everybody else's: what takes the server's zone for UTC fails.
            ("timezone", "Asia/Kolkata"),
        ];
        if !self.options.durable {
            settings.extend([("fsync", "off"), ("full_page_writes", "off")]);
        }
        settings.extend(self.options.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let mut lines = String::new();
        for (name, value) in settings {
            writeln!(lines, "{name} = '{}'", value.replace('\'', "''")).expect("writing to a string can't fail");
        }
        // Of a setting that stands there twice the last one counts.
        let mut file = OpenOptions::new().append(true).open(self.folder.path().join("data/postgresql.conf"))?;
        Ok(file.write_all(lines.as_bytes())?)
    }

    fn start_on_any_port(&mut self) -> Result<()> {
        for _ in 1..START_ATTEMPTS {
            self.port = free_port()?;
            if self.start_again().is_ok() {
                return Ok(());
            }
        }
        self.port = free_port()?;
        self.start_again()
    }

    fn pg_ctl(&self, args: &[&str]) -> Result<()> {
        let mut command = self.programs.command("pg_ctl", self.folder.path());
        command.args(args).args(["--silent", "--wait", "--timeout", PATIENCE]);
        command.envs(self.options.environment.iter().map(|(name, value)| (name, value)));
        run(command.arg("--pgdata").arg(self.folder.path().join("data"))).map(drop)
    }
}

fn free_port() -> Result<u16> {
    for _ in 0..1_000 {
        let port = rand::rng().random_range(PORTS);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    anyhow::bail!("expected a free port on 127.0.0.1 between {} and {}, found none", PORTS.start, PORTS.end)
}

fn last_lines(log: &Path) -> String {
    let log = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = log.lines().collect();
    format!("the server doesn't start:\n{}", lines[lines.len().saturating_sub(20)..].join("\n"))
}
