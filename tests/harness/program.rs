//! `leadscribe` as a child process.

use std::fs::{self, File};
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::Client;

/// Time limit from the program's start to its first response.
const START_LIMIT: Duration = Duration::from_secs(30);

/// Time limit for a command that ends without being stopped.
const COMMAND_LIMIT: Duration = Duration::from_secs(120);

/// Running server. Killed when dropped.
pub struct Program {
    process: Child,
    /// Base URL.
    pub base: String,
    /// Certificate (PEM) that signed the server's own, if it speaks TLS.
    authority: Option<String>,
}

/// Returns the binary's path: from the test runner's variable, else the one that cargo built next to this test.
pub fn binary() -> PathBuf {
    std::env::var_os("LEADSCRIBE_PROGRAM").map(PathBuf::from).unwrap_or_else(|| {
        let test = std::env::current_exe().unwrap();
        let built = test.parent().unwrap().parent().unwrap().join("leadscribe");
        assert!(built.is_file(), "{} isn't there; `cargo xtask test system` builds it", built.display());
        built
    })
}

/// Runs a command on a data folder and returns the last line of its standard output.
pub fn run(data_dir: &Path, args: &[&str]) -> String {
    run_with(data_dir, &[], args)
}

/// Runs a command on a data folder with options as environment variables, and returns the last line of its standard
/// output.
pub fn run_with(data_dir: &Path, options: &[(&str, &str)], args: &[&str]) -> String {
    let mut command = Command::new(binary());
    let output = command.args(args).arg("--data-dir").arg(data_dir).envs(options.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().last().unwrap_or_default().to_owned()
}

/// Runs a command on a data folder that reads a line from standard input.
pub fn run_with_input(data_dir: &Path, args: &[&str], line: &str) {
    let mut command = Command::new(binary());
    let mut process = command.args(args).arg("--data-dir").arg(data_dir).stdin(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    assert!(process.wait().unwrap().success(), "{args:?}");
}

/// Runs a command on a data folder and returns its standard error: progress and counts.
pub fn told(data_dir: &Path, args: &[String]) -> String {
    let output = Command::new(binary()).args(args).arg("--data-dir").arg(data_dir).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {said}");
    said
}

/// Runs a command that must fail, and returns its whole output.
pub fn refusal(data_dir: &Path, options: &[(&str, &str)], args: &[&str]) -> String {
    let (succeeded, said) = outcome(data_dir, options, args);
    assert!(!succeeded, "{args:?}: {said}");
    said
}

/// Runs a command, and returns whether it succeeded and its whole output. A command that is still running at the time
/// limit, such as a server that should have refused to start, is killed and counts as success.
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

/// Runs a command with a file as standard input and another as standard output.
pub fn piped(data_dir: &Path, args: &[&str], input: Stdio, output: Stdio) {
    let mut command = Command::new(binary());
    command.args(args).arg("--data-dir").arg(data_dir).stdin(input).stdout(output);
    assert!(command.status().unwrap().success(), "{args:?}");
}

/// Starts a command and sends it SIGKILL after `wait`. Returns true if it had already ended.
pub fn killed_after(data_dir: &Path, args: &[&str], wait: Duration) -> bool {
    let mut command = Command::new(binary());
    command.args(args).arg("--data-dir").arg(data_dir).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    std::thread::sleep(wait);
    let had_ended = process.try_wait().unwrap().is_some();
    kill(&mut process);
    had_ended
}

/// Running worker, killed when dropped. It serves no requests.
pub struct Worker(Child);

impl Worker {
    /// Starts a worker. Returns before it takes its first job.
    pub fn start(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        Self(serve(data_dir, options, &["--log", "error", "--role", "worker"], Stdio::null()))
    }

    /// Sends SIGKILL.
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

/// Kills a process. Ignores errors, because it may have ended already.
fn kill(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

impl Program {
    /// Starts the server on a free port, without a recogniser, and waits until it is ready.
    pub async fn start(data_dir: &Path) -> Self {
        Self::start_with(data_dir, &[("LEADSCRIBE_RECOGNIZER", "off")]).await
    }

    /// Starts the server with options as environment variables, and waits until it is ready.
    pub async fn start_with(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        Self::start_and_wait(data_dir, options, None, ("error", Stdio::null())).await
    }

    /// Starts the server with options, and waits until it is ready. It writes its trace log to a file.
    pub async fn start_telling_all(data_dir: &Path, options: &[(&str, &str)], logs: File) -> Self {
        Self::start_and_wait(data_dir, options, None, ("trace", logs.into())).await
    }

    /// Starts the server with options that enable TLS, and waits until it is ready. Its certificate must be signed by
    /// `authority`.
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

    /// Starts the server on a free port with options as environment variables. Doesn't wait until it is ready.
    pub fn launch(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        let (process, address) = serve_anywhere(data_dir, options, ("error", Stdio::null()));
        Self::of(process, address)
    }

    /// Wraps a server process that was started elsewhere and listens at `address`.
    pub fn of(process: Child, address: SocketAddr) -> Self {
        Self { process, base: format!("http://{address}"), authority: None }
    }

    /// Waits until the server is ready.
    pub async fn ready(self) -> Self {
        let deadline = Instant::now() + START_LIMIT;
        let client = self.client();
        while !client.reaches("/readyz").await {
            assert!(Instant::now() < deadline, "not ready after {START_LIMIT:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self
    }

    /// Returns a client of this server.
    pub fn client(&self) -> Client {
        match &self.authority {
            None => Client::anonymous(&self.base),
            Some(authority) => Client::anonymous_over_tls(&self.base, authority),
        }
    }

    /// Returns the address without the scheme: `127.0.0.1:4711`.
    pub fn address(&self) -> &str {
        self.base.split_once("://").unwrap().1
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Peak memory in bytes, since the start or since [`Program::reset_peak_memory`].
    pub fn peak_memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// Resets the measurement of peak memory.
    pub fn reset_peak_memory(&self) {
        fs::write(format!("/proc/{}/clear_refs", self.id()), "5").unwrap();
    }

    /// Sends SIGKILL.
    pub fn kill(&mut self) {
        kill(&mut self.process);
    }

    /// Sends SIGTERM and waits for the process to end.
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
