//! `leadscribe` as a process: started on a folder, asked, killed.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::Client;

/// How long the program may take to answer after its start.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A running server, killed when dropped.
pub struct Program {
    process: Child,
    /// Where it listens.
    pub base: String,
}

/// The binary: named by the test runner, or else the one that cargo built beside this test.
fn binary() -> PathBuf {
    std::env::var_os("LEADSCRIBE_PROGRAM").map(PathBuf::from).unwrap_or_else(|| {
        let test = std::env::current_exe().unwrap();
        let built = test.parent().unwrap().parent().unwrap().join("leadscribe");
        assert!(built.is_file(), "{} isn't there; `cargo xtask test system` builds it", built.display());
        built
    })
}

/// Runs a command on a data folder and gives the last line of its standard output.
pub fn run(data_dir: &Path, args: &[&str]) -> String {
    let output = Command::new(binary()).args(args).arg("--data-dir").arg(data_dir).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().last().unwrap_or_default().to_owned()
}

impl Program {
    /// Starts the server on a free port and waits until it is ready.
    pub async fn start(data_dir: &Path) -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let process = Command::new(binary())
            .args(["serve", "--listen", &address.to_string(), "--log", "error", "--data-dir"])
            .arg(data_dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let program = Self { process, base: format!("http://{address}") };
        let deadline = Instant::now() + START_LIMIT;
        let ready = format!("{}/readyz", program.base);
        while !reqwest::get(&ready).await.is_ok_and(|answer| answer.status().is_success()) {
            assert!(Instant::now() < deadline, "not ready after {START_LIMIT:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        program
    }

    /// A client of it.
    pub fn client(&self) -> Client {
        Client::anonymous(&self.base)
    }

    /// Ends it as `kill -9` does, wherever it is.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Already killed is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
