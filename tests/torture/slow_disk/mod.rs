//! Disk with syncs of two seconds, under more writers than request slots. Requests without writes are answered quickly,
//! others wait or are rejected within their bound, and no acknowledged write is lost.
//!
//! A preloaded library (see disk.c) slows down only one data folder, the program's or the PostgreSQL server's, and
//! needs no privileges.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::{JoinSet, block_in_place};
use tokio::time::sleep;

use super::preload_library;
use super::timed_requests::{Probe, Request};
use crate::harness::{
    Database, Installation, PASSWORD, ServerProcess, eventually, log_in, on_each_database, session_cookie,
};

/// Writing clients, more than the request slots (256), half with one API key and half with another.
const WRITER_COUNT: usize = 300;
/// Duration of the measurement with slow syncs.
const SLOW_SYNCS_DURATION: Duration = Duration::from_secs(70);
/// Duration of the measurement with slow syncs, writes and reads.
const SLOW_READS_DURATION: Duration = Duration::from_secs(20);
/// Delays in milliseconds of each sync, write and read, with slow syncs.
const SYNC_DELAYS_MS: &str = "2000 0 0";
/// Delays in milliseconds of each sync, write and read, with slow syncs, writes and reads.
const READ_DELAYS_MS: &str = "2000 20 200";
/// Bound of the 99th percentile of requests without writes.
const MAX_P99_WITHOUT_WRITES: Duration = Duration::from_millis(100);
/// Bound for each response to a write: 10 s of waiting for its turn, then its own syncs and possibly those of a
/// checkpoint.
const MAX_WRITE_TIME: Duration = Duration::from_secs(20);
/// Time limit until the server writes again after the disk is fast.
const MAX_RECOVERY_TIME: Duration = Duration::from_secs(5);
/// Attempts per measurement, because other programs on the machine may delay responses too.
const MAX_MEASUREMENTS: usize = 3;

/// Number of leading probes that need no database.
const PROBES_WITHOUT_DATABASE: usize = 3;

const AGENT_EMAIL: &str = "agent@example.com";

async fn slow_disk_delays_only_writes_and_loses_nothing(database: Database) {
    let (disk, mut installation) = SlowDisk::for_database(database);
    for limit in ["LEADSCRIBE_ACCOUNT_ATTEMPTS", "LEADSCRIBE_ADDRESS_ATTEMPTS"] {
        installation.set(limit, "1000000");
    }
    let keys = [installation.create_api_key(), installation.create_api_key()];
    let reader = installation.create_api_key();
    let mut program = installation.start_all_roles().await;
    let client = program.client().with_key(&reader);
    client.create("/api/users", json!({ "email": AGENT_EMAIL, "password": PASSWORD, "role": "viewer" })).await;
    client.create("/api/leads", json!({ "city": "Bonn" })).await;
    let session = session_cookie(&log_in(&program.client(), AGENT_EMAIL, PASSWORD).await);
    let probes = probes(&program, &reader, &session).await;

    let writes = Arc::new(WriteResults::default());
    let mut writers = JoinSet::new();
    for number in 0..WRITER_COUNT {
        let request = Request::with_key(Method::POST, &program, "/api/leads", &keys[number % keys.len()]);
        writers.spawn(write_leads(request, number, writes.clone()));
    }
    let mut login_times_total = Vec::new();
    disk.slow_down(SYNC_DELAYS_MS);
    // Time for the first slow syncs, and for writes to take all their slots.
    sleep(Duration::from_secs(3)).await;
    let acknowledged_before = writes.acknowledged.lock().unwrap().len();
    for attempt in 1.. {
        let percentiles = measure(&probes, SLOW_SYNCS_DURATION);
        let (percentiles, login_times) = tokio::join!(percentiles, log_in_repeatedly(&program, SLOW_SYNCS_DURATION));
        login_times_total.extend(login_times);
        if percentiles.iter().all(|(_, p99)| *p99 <= MAX_P99_WITHOUT_WRITES) || attempt == MAX_MEASUREMENTS {
            print_and_check("each sync takes 2 s", &percentiles);
            break;
        }
    }
    let acknowledged = writes.acknowledged.lock().unwrap().len();
    let rejected = writes.rejected.load(Ordering::SeqCst);
    let is_in_time = |elapsed: &Duration| *elapsed <= MAX_WRITE_TIME;
    assert!(login_times_total.iter().all(is_in_time), "{login_times_total:?}");
    assert!(acknowledged > acknowledged_before && !login_times_total.is_empty(), "nothing was written");
    println!(
        "measured: {} writes acknowledged, {rejected} rejected temporarily, each within {:.1} s; {} logins, \
         the slowest within {:.1} s",
        acknowledged - acknowledged_before,
        writes.max_time.lock().unwrap().as_secs_f64(),
        login_times_total.len(),
        login_times_total.iter().max().unwrap().as_secs_f64()
    );

    for attempt in 1.. {
        disk.slow_down(READ_DELAYS_MS);
        let percentiles = measure(&probes[..PROBES_WITHOUT_DATABASE], SLOW_READS_DURATION).await;
        if percentiles.iter().all(|(_, p99)| *p99 <= MAX_P99_WITHOUT_WRITES) || attempt == MAX_MEASUREMENTS {
            print_and_check("reads take 0.2 s too", &percentiles);
            break;
        }
    }
    disk.speed_up();
    let restored_at = Instant::now();
    eventually("a write is acknowledged", async || writes.acknowledged.lock().unwrap().len() > acknowledged).await;
    assert!(restored_at.elapsed() <= MAX_RECOVERY_TIME, "{:?}", restored_at.elapsed());
    writes.is_finished.store(true, Ordering::SeqCst);
    while let Some(result) = writers.join_next().await {
        result.unwrap();
    }

    program.kill();
    disk.restart_database();
    let program = installation.start_all_roles().await;
    let client = program.client().with_key(&reader);
    let acknowledged = std::mem::take(&mut *writes.acknowledged.lock().unwrap());
    for (lead, city) in &acknowledged {
        assert_eq!(client.get(&format!("/api/leads/{lead}")).await.expect(200)["city"], **city);
    }
    println!("measured: all {} acknowledged writes still exist after kill -9", acknowledged.len());
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    slow_disk_delays_only_writes_and_loses_nothing
);

/// Prints the 99th percentiles, and fails if one is above its bound.
fn print_and_check(condition: &str, percentiles: &[(&'static str, Duration)]) {
    let texts: Vec<_> = percentiles.iter().map(|(name, p99)| format!("{name} {p99:.1?}")).collect();
    println!("measured: {condition}, p99: {}", texts.join(", "));
    for (name, p99) in percentiles {
        assert!(*p99 <= MAX_P99_WITHOUT_WRITES, "{name}: {p99:?}");
    }
}

/// Returns the requests without writes; those that need no database come first.
async fn probes(program: &ServerProcess, key: &str, session: &str) -> Vec<Probe> {
    let get = |path: &str| Request::new(Method::GET, program, path);
    let page = program.client().get("/").await.text();
    let script = page.split(['"', '\'']).find(|part| part.starts_with('/') && part.contains(".js")).unwrap_or("/");
    let search = Request::with_key(Method::PUT, program, "/api/leads/extended-data", key);
    let lead = Request::with_key(Method::GET, program, "/api/leads/1", key);
    let probes = [
        ("health", get("/healthz")),
        ("page", get("/")),
        ("script", get(script)),
        ("readiness", get("/readyz")),
        ("lookup", search.body(r#"{"city":"Bonn","limit":"10;0"}"#)),
        ("lead", lead),
        ("session", get("/api/session").header("cookie", session)),
    ];
    probes.into_iter().map(|(name, request)| Probe { name, request }).collect()
}

/// Repeats each probe sequentially for `duration`, and returns the 99th percentiles.
async fn measure(probes: &[Probe], duration: Duration) -> Vec<(&'static str, Duration)> {
    let measurements = probes.iter().map(|probe| async { (probe.name, probe.p99(duration).await) });
    futures::future::join_all(measurements).await
}

#[derive(Default)]
struct WriteResults {
    /// Leads with an acknowledged creation, with their cities.
    acknowledged: Mutex<Vec<(i64, String)>>,
    /// Writes that were rejected with 503.
    rejected: AtomicUsize,
    /// Longest time to a response.
    max_time: Mutex<Duration>,
    is_finished: AtomicBool,
}

impl WriteResults {
    fn record_time(&self, elapsed: Duration) {
        let mut max_time = self.max_time.lock().unwrap();
        *max_time = elapsed.max(*max_time);
    }
}

/// Creates leads sequentially. Rejections are 503 with a `Retry-After`, which is honored.
async fn write_leads(request: Request, writer_number: usize, results: Arc<WriteResults>) {
    for serial in 0.. {
        if results.is_finished.load(Ordering::SeqCst) {
            return;
        }
        let city = format!("city {serial} of {writer_number}");
        let response = request.clone().body(&json!({ "city": city }).to_string()).send().await;
        assert!(response.elapsed <= MAX_WRITE_TIME, "{} after {:?}", response.status, response.elapsed);
        results.record_time(response.elapsed);
        if response.status == StatusCode::CREATED {
            let lead: Value = serde_json::from_slice(&response.body).unwrap();
            results.acknowledged.lock().unwrap().push((lead["id"].as_i64().unwrap(), city));
            continue;
        }
        results.rejected.fetch_add(1, Ordering::SeqCst);
        sleep(response.expect_retry_after()).await;
    }
}

/// Logs in repeatedly, and returns each response time. Rejections are 503 with a `Retry-After`.
async fn log_in_repeatedly(program: &ServerProcess, duration: Duration) -> Vec<Duration> {
    let request = Request::new(Method::POST, program, "/api/session");
    let request = request.body(&json!({ "email": AGENT_EMAIL, "password": PASSWORD }).to_string());
    let (started, mut times) = (Instant::now(), Vec::new());
    while started.elapsed() < duration {
        let response = request.clone().send().await;
        times.push(response.elapsed);
        if response.status != StatusCode::OK {
            sleep(response.expect_retry_after()).await;
        }
    }
    times
}

/// Disk of the database with an adjustable speed.
struct SlowDisk {
    temp_dir: TempDir,
    /// Server on this disk, unless the database is embedded.
    postgres: Option<Cluster>,
}

impl SlowDisk {
    /// Creates an installation whose database is on this disk.
    fn for_database(database: Database) -> (Self, Installation) {
        let temp_dir = tempfile::tempdir().unwrap();
        // The PostgreSQL server may run as another user.
        fs::set_permissions(temp_dir.path(), Permissions::from_mode(0o755)).unwrap();
        let library = preload_library::compile("slow_disk/disk.c", temp_dir.path());
        let environment = |data_dir: &Path| {
            let paths = [("SLOW_DATA", data_dir.to_owned()), ("SLOW_DELAYS", Self::delays_file(temp_dir.path()))];
            let paths = paths.map(|(variable, path)| (variable, path.to_str().unwrap().to_owned()));
            [("LD_PRELOAD", library)].into_iter().chain(paths)
        };
        match database {
            Database::Sqlite => {
                let mut installation = Installation::embedded();
                let data_dir = installation.data_dir();
                fs::create_dir_all(&data_dir).unwrap();
                for (variable, value) in environment(&data_dir.canonicalize().unwrap()) {
                    installation.set(variable, &value);
                }
                (Self { temp_dir, postgres: None }, installation)
            }
            Database::Postgres => {
                let programs_dir = bin_dir().expect("PostgreSQL is missing; run `cargo xtask torture`");
                // The path of the cluster isn't known yet, only its beginning.
                let data_dir = std::env::temp_dir().canonicalize().unwrap().join("leadscribe-postgres-");
                let environment =
                    environment(&data_dir).map(|(variable, value)| (variable.to_owned(), value)).collect();
                let options = Options { durable: true, environment, ..Options::default() };
                let server = block_in_place(|| Cluster::start(&programs_dir, &options).unwrap());
                let installation = Installation::with_database_url(&server.url());
                (Self { temp_dir, postgres: Some(server) }, installation)
            }
        }
    }

    /// Crashes the PostgreSQL server and starts it again.
    fn restart_database(&self) {
        if let Some(server) = &self.postgres {
            block_in_place(|| server.restart(Shutdown::Immediate)).unwrap();
        }
    }

    /// Delays each sync, write and read by these milliseconds.
    fn slow_down(&self, delays: &str) {
        let new_file = self.temp_dir.path().join("new");
        fs::write(&new_file, delays).unwrap();
        fs::rename(new_file, Self::delays_file(self.temp_dir.path())).unwrap();
    }

    /// Removes all delays.
    fn speed_up(&self) {
        fs::remove_file(Self::delays_file(self.temp_dir.path())).unwrap();
    }

    fn delays_file(home: &Path) -> PathBuf {
        home.join("delays")
    }
}
