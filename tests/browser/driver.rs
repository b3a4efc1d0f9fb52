//! Chromium and chromedriver. At most one chromedriver runs: it starts with the first session, and ends with all its
//! browsers after the last.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Number of concurrent browsers; more only slow each other down.
static BROWSER_LIMIT: Semaphore = Semaphore::const_new(2);

static SHARED_DRIVER: Mutex<Weak<Driver>> = Mutex::new(Weak::new());

/// Time limit for chromedriver to close its browsers.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// Browser with one window and a new profile.
pub struct Browser {
    client: Client,
    // Dropped in this order: the browser must end before its profile is removed.
    _driver: Arc<Driver>,
    _profile: TempDir,
    _permit: SemaphorePermit<'static>,
}

impl Browser {
    /// Opens a browser as soon as the limit permits.
    pub async fn open() -> Self {
        let permit = BROWSER_LIMIT.acquire().await.unwrap();
        let driver = Driver::shared();
        let profile = tempfile::tempdir().unwrap();
        let Value::Object(capabilities) = capabilities(&profile) else { unreachable!("made as an object") };
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{}", driver.port))
            .await
            .expect("chromedriver should open a browser");
        Self { client, _driver: driver, _profile: profile, _permit: permit }
    }

    /// Returns a handle to the browser's window.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Closes the browser. If it doesn't respond, it ends with chromedriver.
    pub async fn close(self) {
        if let Err(error) = self.client.clone().close().await {
            eprintln!("the browser couldn't be closed: {error}");
        }
    }
}

fn capabilities(profile: &TempDir) -> Value {
    let args = [
        "--headless".to_owned(),
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--mute-audio".to_owned(),
        // Fixes the order of the parts in date inputs.
        "--lang=en-US".to_owned(),
        "--window-size=1400,1000".to_owned(),
        format!("--user-data-dir={}", profile.path().display()),
    ];
    json!({
        "browserName": "chrome",
        "goog:chromeOptions": { "binary": program_path("LEADSCRIBE_CHROME", "/usr/bin/chromium"), "args": args },
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
    })
}

/// Returns the path of a program: from a variable, else Debian's default.
fn program_path(variable: &str, default_path: &str) -> PathBuf {
    let path = std::env::var_os(variable).map_or_else(|| PathBuf::from(default_path), PathBuf::from);
    assert!(path.is_file(), "{} is missing; install chromium and chromium-driver, or set {variable}", path.display());
    path
}

/// Number of attempts to start chromedriver if it exits before listening.
const MAX_START_ATTEMPTS: usize = 5;

/// Running chromedriver.
struct Driver {
    process: Child,
    port: u16,
    /// Kept open, because a program that can't print may end.
    output: BufReader<ChildStdout>,
}

impl Driver {
    /// Returns the running chromedriver, or starts one.
    fn shared() -> Arc<Self> {
        let mut running = SHARED_DRIVER.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(driver) = running.upgrade() {
            return driver;
        }
        let driver = Arc::new(Self::start());
        *running = Arc::downgrade(&driver);
        driver
    }

    /// Starts chromedriver. It chooses a port that is free for one address family, and exits if the port is in use for
    /// the other.
    fn start() -> Self {
        let program = program_path("LEADSCRIBE_CHROMEDRIVER", "/usr/bin/chromedriver");
        let mut output = String::new();
        for _ in 0..MAX_START_ATTEMPTS {
            match Self::start_listening(&program) {
                Ok(driver) => return driver,
                Err(attempt_output) => output += &attempt_output,
            }
        }
        panic!("{} ended {MAX_START_ATTEMPTS} times before it listened: {output}", program.display());
    }

    /// Starts chromedriver and reads its port. Returns its output if it ends before listening.
    fn start_listening(program: &Path) -> Result<Self, String> {
        let mut process = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{} can't be started: {error}", program.display()));
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut driver = Self { process, port: 0, output };
        let (mut line, mut printed) = (String::new(), String::new());
        while driver.output.read_line(&mut line).unwrap() > 0 {
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                driver.port = port.trim().trim_end_matches('.').parse().unwrap();
                return Ok(driver);
            }
            printed += &std::mem::take(&mut line);
        }
        Err(printed)
    }

    /// Requests chromedriver to close its browsers and end.
    fn request_shutdown(&self) -> std::io::Result<()> {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port))?;
        write!(connection, "GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let deadline = Instant::now() + SHUTDOWN_TIMEOUT;
        if self.request_shutdown().is_ok() {
            while Instant::now() < deadline {
                if let Ok(Some(_)) = self.process.try_wait() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        // These fail only if the process has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
