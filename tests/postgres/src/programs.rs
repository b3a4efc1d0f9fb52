//! PostgreSQL's programs: their folder, and the user that runs them.

use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Environment variable with the folder of the programs.
pub const BIN_DIR_VARIABLE: &str = "LEADSCRIBE_POSTGRES_BIN";

/// Debian's folder with one subfolder per release.
const DEBIAN_DIR: &str = "/usr/lib/postgresql";

/// User that distribution packages create for the server.
const SERVER_USER: &str = "postgres";

/// Finds the folder with a server's programs: the one that [`BIN_DIR_VARIABLE`] names, else Debian's newest, the one
/// that `pg_config` prints, or one on the path. Returns `None` if no server is installed.
pub fn bin_dir() -> Option<PathBuf> {
    if let Some(dir) = env::var_os(BIN_DIR_VARIABLE).filter(|dir| !dir.is_empty()) {
        return Some(dir.into());
    }
    newest_debian_release().or_else(from_pg_config).or_else(from_path)
}

fn newest_debian_release() -> Option<PathBuf> {
    let releases = Path::new(DEBIAN_DIR).read_dir().ok()?.flatten().filter_map(|entry| {
        let release: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((release, entry.path().join("bin"))).filter(|(_, dir)| has_server(dir))
    });
    releases.max().map(|(_, dir)| dir)
}

fn from_pg_config() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    let dir = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    has_server(&dir).then_some(dir)
}

fn from_path() -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).find(|dir| has_server(dir))
}

/// Checks for the server's programs, because the client is often installed alone.
fn has_server(dir: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres"].iter().all(|program| dir.join(program).is_file())
}

/// PostgreSQL's programs in a folder.
#[derive(Clone, Debug)]
pub struct Programs {
    /// Folder of the programs.
    pub dir: PathBuf,
    account: Option<Account>,
}

/// Unprivileged account to run as, because the server refuses to run as root.
#[derive(Clone, Copy, Debug)]
struct Account {
    user: u32,
    group: u32,
}

impl Programs {
    /// Uses the programs in `dir`.
    ///
    /// # Errors
    /// The current user is root, and there is no user `postgres` to run as.
    pub fn new(dir: &Path) -> Result<Self> {
        let account = if numeric_id(&["-u"])? == 0 {
            let missing_user =
                || format!("no user `{SERVER_USER}`; create it, because the server refuses to run as root");
            Some(Account {
                user: numeric_id(&["-u", SERVER_USER]).with_context(missing_user)?,
                group: numeric_id(&["-g", SERVER_USER]).with_context(missing_user)?,
            })
        } else {
            None
        };
        Ok(Self { dir: dir.to_owned(), account })
    }

    /// Returns a command that runs a server program.
    pub fn command(&self, program: &str, folder: &Path) -> Command {
        self.any_command(self.dir.join(program), folder)
    }

    /// Returns a command that runs any program as the server's user.
    pub fn any_command(&self, program: impl AsRef<OsStr>, folder: &Path) -> Command {
        let mut command = Command::new(program);
        // The server's user may lack access to the current folder.
        command.current_dir(folder).stdin(Stdio::null()).env("LC_ALL", "C");
        // `PG*` variables of the environment are meant for other servers.
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PG")) {
            command.env_remove(name);
        }
        if let Some(Account { user, group }) = self.account {
            command.uid(user).gid(group);
        }
        command
    }

    /// Makes the server's user the owner of a file or folder.
    pub fn chown(&self, path: &Path) -> Result<()> {
        if let Some(Account { user, group }) = self.account {
            chown(path, Some(user), Some(group))
                .with_context(|| format!("can't change the owner of {}", path.display()))?;
        }
        Ok(())
    }
}

/// Runs a program to its end; returns its standard output.
///
/// # Errors
/// It can't be run or fails; the error contains its output.
pub fn run(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("can't run {program}"))?;
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        bail!("{program}: {}\n{}", output.status, String::from_utf8_lossy(&text).trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{program} printed invalid UTF-8"))
}

fn numeric_id(args: &[&str]) -> Result<u32> {
    let output = Command::new("id").args(args).output().context("can't run id")?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().with_context(|| format!("id {}: expected a number, found `{}`", args.join(" "), text.trim()))
}
