//! PostgreSQL's programs: where they are, and the user they run as.

use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The environment variable that names the folder of the programs.
pub const BIN_DIR: &str = "LEADSCRIBE_POSTGRES_BIN";

/// Where Debian keeps each release, in a folder of its own.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The user whom packages make for the server.
const USER: &str = "postgres";

/// The folder with a server's programs: the one that [`BIN_DIR`] names, or else Debian's newest, the one that `pg_config`
/// names, or one on the path. None where no server is installed.
pub fn bin_dir() -> Option<PathBuf> {
    if let Some(named) = env::var_os(BIN_DIR).filter(|named| !named.is_empty()) {
        return Some(named.into());
    }
    debians_newest().or_else(of_pg_config).or_else(on_the_path)
}

fn debians_newest() -> Option<PathBuf> {
    let releases = Path::new(DEBIAN).read_dir().ok()?.flatten().filter_map(|entry| {
        let release: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((release, entry.path().join("bin"))).filter(|(_, dir)| has_server(dir))
    });
    releases.max().map(|(_, dir)| dir)
}

fn of_pg_config() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    let dir = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    has_server(&dir).then_some(dir)
}

fn on_the_path() -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).find(|dir| has_server(dir))
}

/// Clients are often installed without a server.
fn has_server(dir: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres"].iter().all(|program| dir.join(program).is_file())
}

/// The programs in a folder.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The folder.
    pub dir: PathBuf,
    account: Option<Account>,
}

/// Somebody else than who runs this: the server refuses to run as root.
#[derive(Clone, Copy, Debug)]
struct Account {
    user: u32,
    group: u32,
}

impl Programs {
    /// Those in `dir`.
    ///
    /// # Errors
    /// This runs as root, and there is no user `postgres` to run them as.
    pub fn new(dir: &Path) -> Result<Self> {
        let account = if id(&["-u"])? == 0 {
            let need = || format!("expected a user `{USER}`, for the server refuses to run as root");
            Some(Account { user: id(&["-u", USER]).with_context(need)?, group: id(&["-g", USER]).with_context(need)? })
        } else {
            None
        };
        Ok(Self { dir: dir.to_owned(), account })
    }

    /// A call of a program of the server.
    pub fn command(&self, program: &str, folder: &Path) -> Command {
        self.any_command(self.dir.join(program), folder)
    }

    /// A call of any program, as the user that the server runs as.
    pub fn any_command(&self, program: impl AsRef<OsStr>, folder: &Path) -> Command {
        let mut command = Command::new(program);
        // The folder one is in needn't be open to the other user.
        command.current_dir(folder).stdin(Stdio::null()).env("LC_ALL", "C");
        // What libpq and the server would take from the environment is meant for other servers.
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PG")) {
            command.env_remove(name);
        }
        if let Some(Account { user, group }) = self.account {
            command.uid(user).gid(group);
        }
        command
    }

    /// Gives a file or folder to the user that the server runs as.
    pub fn hand_over(&self, path: &Path) -> Result<()> {
        if let Some(Account { user, group }) = self.account {
            chown(path, Some(user), Some(group)).with_context(|| format!("can't hand over {}", path.display()))?;
        }
        Ok(())
    }
}

/// Runs a program to its end; gives what it printed on standard output.
///
/// # Errors
/// It can't be run or fails; the error shows what it printed.
pub fn run(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("can't run {program}"))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].concat();
        bail!("{program}: {}\n{}", output.status, String::from_utf8_lossy(&said).trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{program} printed something else than UTF-8"))
}

fn id(args: &[&str]) -> Result<u32> {
    let output = Command::new("id").args(args).output().context("can't run id")?;
    let printed = String::from_utf8_lossy(&output.stdout);
    printed
        .trim()
        .parse()
        .with_context(|| format!("id {}: expected a number, found `{}`", args.join(" "), printed.trim()))
}
