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
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Time limit for a command that ends by itself.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(120);

/// Running server. Killed when dropped.
pub struct ServerProcess {
    process: Child,
    pub base_url: String,
    /// Certificate authority (PEM) of the server's certificate, if it uses TLS.
    authority: Option<String>,
}

/// Returns the binary's path: from the test runner's variable, else the one that cargo built next to this test.
pub fn binary() -> PathBuf {
    std::env::var_os("LEADSCRIBE_PROGRAM").map(PathBuf::from).unwrap_or_else(|| {
        let test_binary = std::env::current_exe().unwrap();
        let program = test_binary.parent().unwrap().parent().unwrap().join("leadscribe");
        assert!(program.is_file(), "{} is missing; run `cargo xtask test system`", program.display());
        program
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

/// Runs a command on a data folder, with a line as its standard input.
pub fn run_with_input(data_dir: &Path, args: &[&str], line: &str) {
    let mut command = Command::new(binary());
    let mut process = command.args(args).arg("--data-dir").arg(data_dir).stdin(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    assert!(process.wait().unwrap().success(), "{args:?}");
}

/// Runs a command on a data folder and returns its standard error: progress and counts.
pub fn stderr_of(data_dir: &Path, args: &[String]) -> String {
    let output = Command::new(binary()).args(args).arg("--data-dir").arg(data_dir).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {stderr}");
    stderr
}

/// Runs a command that must fail, and returns its whole output.
pub fn run_failing(data_dir: &Path, options: &[(&str, &str)], args: &[&str]) -> String {
    let (succeeded, output) = run_to_end(data_dir, options, args);
    assert!(!succeeded, "{args:?}: {output}");
    output
}

/// Runs a command, and returns whether it succeeded and its whole output. A command that is still running at the time
/// limit, such as a server that should have refused to start, is killed and counts as success.
pub fn run_to_end(data_dir: &Path, options: &[(&str, &str)], args: &[&str]) -> (bool, String) {
    let mut command = Command::new(binary());
    command.args(args).arg("--data-dir").arg(data_dir).envs(options.iter().copied());
    let process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (id, (end_sender, end_receiver)) = (process.id(), mpsc::channel::<()>());
    let watchdog = std::thread::spawn(move || {
        let timed_out = end_receiver.recv_timeout(COMMAND_TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout);
        timed_out && Command::new("kill").args(["-9", &id.to_string()]).status().is_ok()
    });
    let output = process.wait_with_output().unwrap();
    drop(end_sender);
    let timed_out = watchdog.join().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    (timed_out || output.status.success(), text)
}

/// Runs a command with a file as standard input and another as standard output.
pub fn run_piped(data_dir: &Path, args: &[&str], input: Stdio, output: Stdio) {
    let mut command = Command::new(binary());
    command.args(args).arg("--data-dir").arg(data_dir).stdin(input).stdout(output);
    assert!(command.status().unwrap().success(), "{args:?}");
}

/// Starts a command and sends it SIGKILL after `wait`. Returns true if it had already ended.
pub fn kill_after(data_dir: &Path, args: &[&str], wait: Duration) -> bool {
    let mut command = Command::new(binary());
    command.args(args).arg("--data-dir").arg(data_dir).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    std::thread::sleep(wait);
    let had_ended = process.try_wait().unwrap().is_some();
    kill(&mut process);
    had_ended
}

/// Running worker, killed when dropped. It serves no requests.
pub struct WorkerProcess(Child);

impl WorkerProcess {
    /// Starts a worker. Returns before it takes its first job.
    pub fn start(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        Self(spawn_server(data_dir, options, &["--log", "error", "--role", "worker"], Stdio::null()))
    }

    /// Sends SIGKILL.
    pub fn kill(mut self) {
        kill(&mut self.0);
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        kill(&mut self.0);
    }
}

fn spawn_server(data_dir: &Path, options: &[(&str, &str)], args: &[&str], logs: Stdio) -> Child {
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

fn spawn_on_free_port(data_dir: &Path, options: &[(&str, &str)], (filter, logs): (&str, Stdio)) -> (Child, SocketAddr) {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    (spawn_server(data_dir, options, &["--log", filter, "--listen", &address.to_string()], logs), address)
}

/// Kills a process. Ignores errors, because it may have ended already.
fn kill(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

impl ServerProcess {
    /// Starts the server on a free port, without a recognizer, and waits until it is ready.
    pub async fn start(data_dir: &Path) -> Self {
        Self::start_with(data_dir, &[("LEADSCRIBE_RECOGNIZER", "off")]).await
    }

    /// Starts the server with options as environment variables, and waits until it is ready.
    pub async fn start_with(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        Self::start_and_wait(data_dir, options, None, ("error", Stdio::null())).await
    }

    /// Starts the server with options, and waits until it is ready. It writes its trace log to a file.
    pub async fn start_with_trace_log(data_dir: &Path, options: &[(&str, &str)], logs: File) -> Self {
        Self::start_and_wait(data_dir, options, None, ("trace", logs.into())).await
    }

    /// Starts the server with options that enable TLS, and waits until it is ready. Its certificate must be signed by
    /// `authority`.
    pub async fn start_with_tls(data_dir: &Path, options: &[(&str, &str)], authority: &str) -> Self {
        Self::start_and_wait(data_dir, options, Some(authority.to_owned()), ("error", Stdio::null())).await
    }

    async fn start_and_wait(
        data_dir: &Path,
        options: &[(&str, &str)],
        authority: Option<String>,
        logs: (&str, Stdio),
    ) -> Self {
        let scheme = if authority.is_some() { "https" } else { "http" };
        let (process, address) = spawn_on_free_port(data_dir, options, logs);
        Self { process, base_url: format!("{scheme}://{address}"), authority }.wait_until_ready().await
    }

    /// Starts the server on a free port with options as environment variables. Doesn't wait until it is ready.
    pub fn spawn(data_dir: &Path, options: &[(&str, &str)]) -> Self {
        let (process, address) = spawn_on_free_port(data_dir, options, ("error", Stdio::null()));
        Self::from_process(process, address)
    }

    /// Wraps a server process that was started elsewhere and listens at `address`.
    pub fn from_process(process: Child, address: SocketAddr) -> Self {
        Self { process, base_url: format!("http://{address}"), authority: None }
    }

    /// Waits until the server is ready.
    pub async fn wait_until_ready(self) -> Self {
        let deadline = Instant::now() + START_TIMEOUT;
        let client = self.client();
        while !client.is_reachable("/readyz").await {
            assert!(Instant::now() < deadline, "not ready after {START_TIMEOUT:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self
    }

    /// Returns a client of this server.
    pub fn client(&self) -> Client {
        match &self.authority {
            None => Client::anonymous(&self.base_url),
            Some(authority) => Client::anonymous_over_tls(&self.base_url, authority),
        }
    }

    /// Returns the address without the scheme: `127.0.0.1:4711`.
    pub fn address(&self) -> &str {
        self.base_url.split_once("://").unwrap().1
    }

    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Peak memory in bytes, since the start or since [`ServerProcess::reset_peak_memory`].
    pub fn peak_memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process_id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// Resets the measurement of peak memory.
    pub fn reset_peak_memory(&self) {
        fs::write(format!("/proc/{}/clear_refs", self.process_id()), "5").unwrap();
    }

    /// Sends SIGKILL.
    pub fn kill(&mut self) {
        kill(&mut self.process);
    }

    /// Sends SIGTERM and waits for the process to end.
    pub fn stop(&mut self) {
        let kill_status = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status().unwrap();
        assert!(kill_status.success(), "the process has exited");
        self.process.wait().unwrap();
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        kill(&mut self.process);
    }
}
