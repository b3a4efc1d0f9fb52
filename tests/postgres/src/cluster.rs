//! Dedicated PostgreSQL server.

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
use crate::programs::{Programs, run};
use crate::watchdog::Watchdog;

/// Name of the superuser.
const SUPERUSER: &str = "postgres";

/// Ports to choose from. Operating systems assign ephemeral ports from 32768 at the earliest, so that no outgoing
/// connection takes the port of a server that is stopped for a while.
const PORT_RANGE: std::ops::Range<u16> = 10_000..32_000;

/// Another process may take the port between the check and the server's start.
const MAX_START_ATTEMPTS: u32 = 5;

/// Time limit in seconds for a start or a stop. After an immediate stop under load, recovery takes a while.
const TIMEOUT_SECONDS: &str = "120";

/// Options of a server. The default suits tests that don't check durability.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// True if commits must survive a crash of the machine. Otherwise nothing waits for the disk.
    pub durable: bool,
    /// Further settings, with their values as `SHOW` prints them.
    pub settings: Vec<(String, String)>,
    /// Environment variables of the server.
    pub environment: Vec<(String, String)>,
}

/// Shutdown mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Closes connections and rolls back open transactions.
    Fast,
    /// Stops immediately as in a crash; the next start recovers.
    Immediate,
}

/// Running server on a port of 127.0.0.1, with a superuser that has a random password. It stops, and its data is
/// removed, when this is dropped or the process ends.
#[derive(Debug)]
pub struct Cluster {
    // Dropped before the folder, which it uses.
    _watchdog: Watchdog,
    folder: TempDir,
    programs: Programs,
    options: Options,
    password: String,
    port: u16,
}

impl Cluster {
    /// Creates an empty cluster with the programs in `bin_dir` and starts it. Takes about two seconds. Blocks.
    ///
    /// # Errors
    /// The programs are missing or fail; the error contains their output.
    pub fn start(bin_dir: &Path, options: &Options) -> Result<Self> {
        let mut cluster =
            Self::prepare(Programs::new(bin_dir)?, options.clone(), Alphanumeric.sample_string(&mut rand::rng(), 24))?;
        cluster.run_initdb()?;
        cluster.configure()?;
        cluster.start_on_any_port()?;
        Ok(cluster)
    }

    /// Starts a hot standby of this server, with the same databases and superuser. Blocks.
    ///
    /// # Errors
    /// This server isn't running, or the programs fail.
    pub fn start_replica(&self) -> Result<Self> {
        let mut replica = self.create_base_backup()?;
        replica.start_on_any_port()?;
        Ok(replica)
    }

    /// Starts a hot standby as [`Cluster::start_replica`] does, on a port that another server used before. Blocks.
    ///
    /// # Errors
    /// See [`Cluster::start_replica`]; or the port is in use.
    pub fn start_replica_on(&self, port: u16) -> Result<Self> {
        let mut replica = self.create_base_backup()?;
        replica.port = port;
        replica.start_stopped()?;
        Ok(replica)
    }

    /// Promotes a standby to a primary on its own timeline. Blocks until it accepts writes.
    ///
    /// # Errors
    /// It isn't a running standby.
    pub fn promote(&self) -> Result<()> {
        self.pg_ctl(&["promote"])
    }

    /// Stops replication to this standby, which keeps its current data. Blocks.
    ///
    /// # Errors
    /// It isn't running.
    pub fn stop_replication(&self) -> Result<()> {
        sql(&self.url(), "ALTER SYSTEM SET primary_conninfo = ''")?;
        sql(&self.url(), "SELECT pg_reload_conf()")?;
        while sql(&self.url(), "SELECT count(*) FROM pg_stat_wal_receiver")? != "0" {
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Copies this server's data for a standby, without starting it.
    fn create_base_backup(&self) -> Result<Self> {
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

    /// Returns the folder of the programs.
    pub fn bin_dir(&self) -> &Path {
        &self.programs.dir
    }

    /// Returns the port of 127.0.0.1 that the server listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the superuser's URL of the database `postgres`.
    pub fn url(&self) -> String {
        self.database_url("postgres")
    }

    /// Returns the superuser's URL of a database.
    pub fn database_url(&self, database: &str) -> String {
        format!("postgres://{SUPERUSER}:{}@127.0.0.1:{}/{database}", self.password, self.port)
    }

    /// Stops the server. Its data is kept. Blocks.
    ///
    /// # Errors
    /// It isn't running, or doesn't stop.
    pub fn stop(&self, shutdown: Shutdown) -> Result<()> {
        let mode = match shutdown {
            Shutdown::Fast => "--mode=fast",
            Shutdown::Immediate => "--mode=immediate",
        };
        self.pg_ctl(&["stop", mode])
    }

    /// Starts a stopped server on the same port. Blocks until it accepts connections.
    ///
    /// # Errors
    /// It doesn't start; the error contains the end of its log.
    pub fn start_stopped(&self) -> Result<()> {
        let log = self.folder.path().join("log");
        let port = format!("-p {}", self.port);
        let args = ["start", "--log", &log.to_string_lossy(), "--options", &port];
        self.pg_ctl(&args).with_context(|| start_failure_message(&log))
    }

    /// Stops the server and starts it again. Blocks.
    ///
    /// # Errors
    /// See [`Cluster::stop`] and [`Cluster::start_stopped`].
    pub fn restart(&self, shutdown: Shutdown) -> Result<()> {
        self.stop(shutdown)?;
        self.start_stopped()
    }

    /// Creates a data folder with a watchdog, without starting a server.
    fn prepare(programs: Programs, options: Options, password: String) -> Result<Self> {
        let folder =
            tempfile::Builder::new().prefix("leadscribe-postgres-").tempdir().context("can't create a folder")?;
        programs.chown(folder.path())?;
        let watchdog = Watchdog::start(folder.path(), &programs)?;
        Ok(Self { _watchdog: watchdog, folder, programs, options, password, port: 0 })
    }

    fn run_initdb(&self) -> Result<()> {
        let password = self.folder.path().join("password");
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&password)?;
        file.write_all(self.password.as_bytes())?;
        self.programs.chown(&password)?;

        let run_initdb = |locale_args: &[&str]| {
            let mut initdb = self.programs.command("initdb", self.folder.path());
            initdb
                .args(["--auth=scram-sha-256", "--encoding=UTF8", "--no-sync", "--username", SUPERUSER])
                .args(locale_args);
            initdb.arg("--pwfile").arg(&password).arg("--pgdata").arg(self.folder.path().join("data"));
            run(&mut initdb).map(drop)
        };
        // Most production servers use a language collation, so code that relies on byte order by mistake must fail here
        // too. Releases before 15, and builds without ICU, reject the option and leave nothing behind.
        run_initdb(&["--locale=C", "--locale-provider=icu", "--icu-locale=en"]).or_else(|_| run_initdb(&["--locale=C"]))
    }

    fn configure(&self) -> Result<()> {
        let mut settings = vec![
            ("listen_addresses", "127.0.0.1"),
            // Socket paths have a length limit that some machines' temporary folders exceed.
            ("unix_socket_directories", ""),
            ("max_connections", "200"),
            ("shared_buffers", "64MB"),
            ("wal_level", "replica"),
            // Differs from UTC by five and a half hours, so that code that takes the server's zone for UTC fails.
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
        // If a setting appears twice, the last one counts.
        let mut file = OpenOptions::new().append(true).open(self.folder.path().join("data/postgresql.conf"))?;
        Ok(file.write_all(lines.as_bytes())?)
    }

    fn start_on_any_port(&mut self) -> Result<()> {
        for _ in 1..MAX_START_ATTEMPTS {
            self.port = free_port()?;
            if self.start_stopped().is_ok() {
                return Ok(());
            }
        }
        self.port = free_port()?;
        self.start_stopped()
    }

    fn pg_ctl(&self, args: &[&str]) -> Result<()> {
        let mut command = self.programs.command("pg_ctl", self.folder.path());
        command.args(args).args(["--silent", "--wait", "--timeout", TIMEOUT_SECONDS]);
        command.envs(self.options.environment.iter().map(|(name, value)| (name, value)));
        run(command.arg("--pgdata").arg(self.folder.path().join("data"))).map(drop)
    }
}

fn free_port() -> Result<u16> {
    for _ in 0..1_000 {
        let port = rand::rng().random_range(PORT_RANGE);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    anyhow::bail!("no free port on 127.0.0.1 between {} and {}", PORT_RANGE.start, PORT_RANGE.end)
}

fn start_failure_message(log: &Path) -> String {
    let log = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = log.lines().collect();
    format!("the server didn't start:\n{}", lines[lines.len().saturating_sub(20)..].join("\n"))
}
