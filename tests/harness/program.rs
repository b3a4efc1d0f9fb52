//! `leadscribe` as a process: started on a folder, asked, killed.

use std::fs::{self, File};
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::Client;

/// How long the program may take to answer after its start.
const START_LIMIT: Duration = Duration::from_secs(30);

/// How long a command may take that ends by itself.
const COMMAND_LIMIT: Duration = Duration::from_secs(120);

/// A running server, killed when dropped.
pub struct Program {
    process: Child,
    /// Where it listens.
    pub base: String,
    /// The certificate that has signed its own, in PEM, when it speaks TLS.
    authority: Option<String>,
}

/// The binary: named by the test runner, or else the one that cargo built beside this test.
pub fn binary() -> PathBuf {
    std::env::var_os("LEADSCRIBE_PROGRAM").map(PathBuf::from).unwrap_or_else(|| {
        let test = std::env::current_exe().unwrap();
        let built = test.parent().unwrap().parent().unwrap().join("leadscribe");
        assert!(built.is_file(), "{} isn't there; `cargo xtask test system` builds it", built.display());
        built
    })
}

/// Runs a command on a data folder and gives the last line of its standard output.
pub fn run(data_dir: &Path, args: &[&str]) -> String {
    run_with(data_dir, &[], args)
}

/// Runs a command on a data folder with options, by their environment variables, and gives the last line of its standard
/// output.
pub fn run_with(data_dir: &Path, options: &[(&str, &str)], args: &[&str]) -> String {
    let mut command = Command::new(binary());
    let output = command.args(args).arg("--data-dir").arg(data_dir).envs(options.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().last().unwrap_or_default().to_owned()
}

/// Runs a command on a data folder that reads a line from its standard input.
pub fn run_with_input(data_dir: &Path, args: &[&str], line: &str) {
    let mut command = Command::new(binary());
    let mut process = command.args(args).arg("--data-dir").arg(data_dir).stdin(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    assert!(process.wait().unwrap().success(), "{args:?}");
}

/// Runs a command on a data folder and gives what it says beside its output: progress and counts.
pub fn told(data_dir: &Path, args: &[String]) -> String {
    let output = Command::new(binary()).args(args).arg("--data-dir").arg(data_dir).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {said}");
    said
}

/// Runs a command that must fail, and gives what it says: all of it.
pub fn refusal(data_dir: &Path, options: &[(&str, &str)], args: &[&str]) -> String {
    let (succeeded, said) = outcome(data_dir, options, args);
    assert!(!succeeded, "{args:?}: {said}");
    said
}

/// Runs a command, and gives whether it succeeded and all that it says. One that goes on, as a server does that should have
/// refused to start, is ended and has not failed.
pub fn outcome(data_dir: &Path, options: &[(&str, &str)], args: &[&str]) -> (bool, String) {
    let mut command = Command::new(binary());
    command.args(args).arg("--data-dir").arg(data_dir).envs(options.iter().copied());
    let process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (id, (ended, waits)) = (process.id(), mpsc::channel::<()>());
    let limit = std::thread::spawn(move || {
        let goes_on = waits.recv_timeout(COMMAND_LIMIT) == Err(mpsc::RecvTimeoutError::Timeout);
        goes_on && Command::new("kill").args(["-9", &id.to_string()]).status().is_ok()
    });
    let output = process.wait_with_output().unwrap();
    drop(ended);
    let goes_on = limit.join().unwrap();
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
    (goes_on || output.status.success(), said)
}

/// Runs a command with a file as its standard input and another as its standard output.
pub fn piped(data_dir: &Path, args: &[&str], input: Stdio, output: Stdio) {
    let mut command = Command::new(binary());
    command.args(args).arg("--data-dir").arg(data_dir).stdin(input).stdout(output);
    assert!(command.status().unwrap().success(), "{args:?}");
}

/// Starts a command, and ends it as `kill -9` does after a while. True when it had ended by itself before.
pub fn killed_after(data_dir: &Path, args: &[&str], wait: Duration) -> bool {
    let mut command = Command::new(binary());
    command.args(args).arg("--data-dir").arg(data_dir).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    std::thread::sleep(wait);
    let had_ended = process.try_wait().unwrap().is_some();
    kill(&mut process);
    had_ended
}

/// A running worker, killed when dropped. It serves nothing.
pub struct Worker(Child);

impl Worker {
    /// Starts a worker. It may not be at work yet when this returns.
    pub fn start(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        Self(serve(data_dir, options, &["--log", "error", "--role", "worker"], Stdio::null()))
    }

    /// Ends it as `kill -9` does, wherever it is.
    pub fn kill(mut self) {
        kill(&mut self.0);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        kill(&mut self.0);
    }
}

fn serve(data_dir: &Path, options: &[(&str, &str)], args: &[&str], logs: Stdio) -> Child {
    Command::new(binary())
        .args(["serve", "--data-dir"])
        .arg(data_dir)
        .args(args)
        .envs(options.iter().copied())
        .stdout(Stdio::null())
        .stderr(logs)
        .spawn()
        .unwrap()
}

fn serve_anywhere(data_dir: &Path, options: &[(&str, &str)], (filter, logs): (&str, Stdio)) -> (Child, SocketAddr) {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    (serve(data_dir, options, &["--log", filter, "--listen", &address.to_string()], logs), address)
}

/// Being dead already is as good.
fn kill(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

impl Program {
    /// Starts the server on a free port and waits until it is ready. It transcribes nothing.
    pub async fn start(data_dir: &Path) -> Self {
        Self::start_with(data_dir, &[("LEADSCRIBE_RECOGNIZER", "off")]).await
    }

    /// Starts the server with options, by their environment variables, and waits until it is ready.
    pub async fn start_with(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        Self::start_and_wait(data_dir, options, None, ("error", Stdio::null())).await
    }

    /// Starts the server with options, and waits until it is ready; it logs everything there is into a file.
    pub async fn start_telling_all(data_dir: &Path, options: &[(&str, &str)], logs: File) -> Self {
        Self::start_and_wait(data_dir, options, None, ("trace", logs.into())).await
    }

    /// Starts the server with options that make it speak TLS, with a certificate that the one in `authority` has signed, and waits
    /// until it is ready.
    pub async fn start_over_tls(data_dir: &Path, options: &[(&str, &str)], authority: &str) -> Self {
        Self::start_and_wait(data_dir, options, Some(authority.to_owned()), ("error", Stdio::null())).await
    }

    async fn start_and_wait(
        data_dir: &Path,
        options: &[(&str, &str)],
        authority: Option<String>,
        logs: (&str, Stdio),
    ) -> Self {
        let scheme = if authority.is_some() { "https" } else { "http" };
        let (process, address) = serve_anywhere(data_dir, options, logs);
        Self { process, base: format!("{scheme}://{address}"), authority }.ready().await
    }

    /// Starts the server on a free port with options, by their environment variables, and doesn't wait for it.
    pub fn launch(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        let (process, address) = serve_anywhere(data_dir, options, ("error", Stdio::null()));
        Self::of(process, address)
    }

    /// One that was started in another way, to listen at `address`.
    pub fn of(process: Child, address: SocketAddr) -> Self {
        Self { process, base: format!("http://{address}"), authority: None }
    }

    /// Waits until it is ready.
    pub async fn ready(self) -> Self {
        let deadline = Instant::now() + START_LIMIT;
        let client = self.client();
        while !client.reaches("/readyz").await {
            assert!(Instant::now() < deadline, "not ready after {START_LIMIT:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self
    }

    /// A client of it.
    pub fn client(&self) -> Client {
        match &self.authority {
            None => Client::anonymous(&self.base),
            Some(authority) => Client::anonymous_over_tls(&self.base, authority),
        }
    }

    /// Its address without the scheme: `127.0.0.1:4711`.
    pub fn address(&self) -> &str {
        self.base.split_once("://").unwrap().1
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Most memory that it had so far, in bytes, or since [`Program::reset_peak_memory`].
    pub fn peak_memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// Starts the measurement of the peak anew.
    pub fn reset_peak_memory(&self) {
        fs::write(format!("/proc/{}/clear_refs", self.id()), "5").unwrap();
    }

    /// Ends it as `kill -9` does, wherever it is.
    pub fn kill(&mut self) {
        kill(&mut self.process);
    }

    /// Tells it to stop, and waits until it has.
    pub fn stop(&mut self) {
        let told = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status().unwrap();
        assert!(told.success(), "it runs no more");
        self.process.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        kill(&mut self.process);
    }
}
