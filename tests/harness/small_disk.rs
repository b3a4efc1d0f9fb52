//! Disk of a few megabytes, in memory, that a test can fill. Only programs started through it see the mount.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::{Program, binary};

/// Mounts the disk, prints a line, and keeps the mount namespace alive until its standard input ends.
const KEEPER: &str = r#"mount -t tmpfs -o size="$2"m,mode=700 leadscribe "$1" && echo mounted && exec cat"#;

/// Name of the file that fills the disk.
const FILLER: &str = "filler";

/// Disk with a data folder. Removed when this is dropped and the last program that uses it has ended.
pub struct SmallDisk {
    keeper: Child,
    at: TempDir,
    /// True if it has its own user namespace; only root may mount without one.
    has_users: bool,
}

impl SmallDisk {
    /// Mounts a disk of `size` megabytes.
    pub fn of_megabytes(size: u32) -> Self {
        let at = tempfile::tempdir().unwrap();
        let has_users = fs::metadata("/proc/self").unwrap().uid() != 0;
        let mut unshare = Command::new("unshare");
        unshare.arg("--mount").args(has_users.then_some("--map-root-user"));
        unshare.args(["sh", "-c", KEEPER, "sh"]).arg(at.path()).arg(size.to_string());
        let unshare = unshare.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut keeper = unshare.spawn().expect("unshare, of util-linux");
        let mut said = String::new();
        BufReader::new(keeper.stdout.take().unwrap()).read_line(&mut said).unwrap();
        if said != "mounted\n" {
            let refused = keeper.wait_with_output().unwrap().stderr;
            panic!(
                "expected to be allowed to mount a disk, as root or in a user name space, found: {}",
                String::from_utf8_lossy(&refused)
            );
        }
        Self { keeper, at, has_users }
    }

    /// Runs a command of the program on the disk, and returns the last line of its standard output.
    pub fn run(&self, args: &[&str]) -> String {
        let output = self.program(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().last().unwrap_or_default().to_owned()
    }

    /// Runs a command of the program on the disk, and returns whether it succeeded and its whole output.
    pub fn outcome(&self, args: &[&str]) -> (bool, String) {
        let output = self.program(args).output().unwrap();
        let said = [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
        (output.status.success(), said)
    }

    /// Starts the server on the disk with options as environment variables, and waits until it is ready.
    pub async fn serve(&self, options: &[(&str, &str)]) -> Program {
        self.serve_and_log(options, ("error", Stdio::null())).await
    }

    /// Like [`SmallDisk::serve`], with the log in a file outside the disk.
    pub async fn serve_telling(&self, options: &[(&str, &str)], logs: File) -> Program {
        self.serve_and_log(options, ("info", logs.into())).await
    }

    async fn serve_and_log(&self, options: &[(&str, &str)], (filter, logs): (&str, Stdio)) -> Program {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut program = self.program(&["serve", "--log", filter, "--listen", &address.to_string()]);
        program.envs(options.iter().copied()).stdout(Stdio::null()).stderr(logs);
        Program::of(program.spawn().unwrap(), address).ready().await
    }

    /// Fills all free space.
    pub fn fill(&self) {
        let mut filler = File::create(self.filler()).unwrap();
        for size in [64 * 1024, 4 * 1024, 1] {
            let bytes = vec![b'x'; size];
            let full = loop {
                if let Err(error) = filler.write_all(&bytes) {
                    break error;
                }
            };
            assert_eq!(full.kind(), ErrorKind::StorageFull);
        }
    }

    /// Frees the space that was filled.
    pub fn make_room(&self) {
        fs::remove_file(self.filler()).unwrap();
    }

    /// Returns the path of the filler file as seen from outside the namespace.
    fn filler(&self) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.keeper.id()));
        root.join(self.at.path().strip_prefix("/").unwrap()).join(FILLER)
    }

    fn program(&self, args: &[&str]) -> Command {
        let mut enter = Command::new("nsenter");
        enter.args(["--target", &self.keeper.id().to_string(), "--mount"]);
        enter.args(self.has_users.then_some(["--user", "--preserve-credentials"]).into_iter().flatten());
        enter.arg(binary()).args(args).arg("--data-dir").arg(self.data());
        enter
    }

    /// Returns the data folder's path as programs on the disk see it.
    fn data(&self) -> PathBuf {
        Path::new(self.at.path()).join("data")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
