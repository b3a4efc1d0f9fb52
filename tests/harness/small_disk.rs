//! Disk of a few megabytes, in memory, that a test can fill. Only programs started through it see the mount.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::{ServerProcess, binary};

/// Mounts the disk, prints a line, and keeps the mount namespace alive until its standard input ends.
const KEEPER_SCRIPT: &str = r#"mount -t tmpfs -o size="$2"m,mode=700 leadscribe "$1" && echo mounted && exec cat"#;

/// Name of the file that fills the disk.
const FILLER_NAME: &str = "filler";

/// Disk with a data folder. Removed when this is dropped and the last program that uses it has ended.
pub struct SmallDisk {
    keeper: Child,
    mount_point: TempDir,
    /// True if it has its own user namespace; only root may mount without one.
    has_user_namespace: bool,
}

impl SmallDisk {
    /// Mounts a disk of `megabytes` megabytes.
    pub fn mount(megabytes: u32) -> Self {
        let mount_point = tempfile::tempdir().unwrap();
        let has_user_namespace = fs::metadata("/proc/self").unwrap().uid() != 0;
        let mut unshare = Command::new("unshare");
        unshare.arg("--mount").args(has_user_namespace.then_some("--map-root-user"));
        unshare.args(["sh", "-c", KEEPER_SCRIPT, "sh"]).arg(mount_point.path()).arg(megabytes.to_string());
        let unshare = unshare.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut keeper = unshare.spawn().expect("unshare (util-linux) is installed");
        let mut line = String::new();
        BufReader::new(keeper.stdout.take().unwrap()).read_line(&mut line).unwrap();
        if line != "mounted\n" {
            let stderr = keeper.wait_with_output().unwrap().stderr;
            panic!("can't mount a disk; run as root or allow user namespaces: {}", String::from_utf8_lossy(&stderr));
        }
        Self { keeper, mount_point, has_user_namespace }
    }

    /// Runs a command of the program on the disk, and returns the last line of its standard output.
    pub fn run(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().last().unwrap_or_default().to_owned()
    }

    /// Runs a command of the program on the disk, and returns whether it succeeded and its whole output.
    pub fn run_to_end(&self, args: &[&str]) -> (bool, String) {
        let output = self.command(args).output().unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (output.status.success(), text)
    }

    /// Starts the server on the disk with options as environment variables, and waits until it is ready.
    pub async fn serve(&self, options: &[(&str, &str)]) -> ServerProcess {
        self.serve_and_log(options, ("error", Stdio::null())).await
    }

    /// Like [`SmallDisk::serve`], with the log in a file outside the disk.
    pub async fn serve_with_log(&self, options: &[(&str, &str)], logs: File) -> ServerProcess {
        self.serve_and_log(options, ("info", logs.into())).await
    }

    async fn serve_and_log(&self, options: &[(&str, &str)], (filter, logs): (&str, Stdio)) -> ServerProcess {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut command = self.command(&["serve", "--log", filter, "--listen", &address.to_string()]);
        command.envs(options.iter().copied()).stdout(Stdio::null()).stderr(logs);
        ServerProcess::from_process(command.spawn().unwrap(), address).wait_until_ready().await
    }

    /// Fills all free space.
    pub fn fill(&self) {
        let mut filler = File::create(self.filler_path()).unwrap();
        for size in [64 * 1024, 4 * 1024, 1] {
            let bytes = vec![b'x'; size];
            let write_error = loop {
                if let Err(error) = filler.write_all(&bytes) {
                    break error;
                }
            };
            assert_eq!(write_error.kind(), ErrorKind::StorageFull);
        }
    }

    /// Frees the space that was filled.
    pub fn free_space(&self) {
        fs::remove_file(self.filler_path()).unwrap();
    }

    /// Returns the path of the filler file as seen from outside the namespace.
    fn filler_path(&self) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.keeper.id()));
        root.join(self.mount_point.path().strip_prefix("/").unwrap()).join(FILLER_NAME)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut nsenter = Command::new("nsenter");
        nsenter.args(["--target", &self.keeper.id().to_string(), "--mount"]);
        nsenter.args(self.has_user_namespace.then_some(["--user", "--preserve-credentials"]).into_iter().flatten());
        nsenter.arg(binary()).args(args).arg("--data-dir").arg(self.data_dir());
        nsenter
    }

    /// Returns the data folder's path as programs on the disk see it.
    fn data_dir(&self) -> PathBuf {
        Path::new(self.mount_point.path()).join("data")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
