//! Disk with syncs of two seconds, under more writers than request slots. Requests without writes are answered quickly,
//! others wait or are rejected within their bound, and no acknowledged write is lost.
//!
//! A preloaded library (see disk.c) slows down only the data folder of the program, or that of the PostgreSQL server, and
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

use super::probe::{Probe, Request};
use super::shim;
use crate::harness::{Database, Installation, PASSWORD, Program, cookie, eventually, log_in, on_each_database};

/// Writing clients, more than the request slots (256), half with one API key and half with another.
const WRITERS: usize = 300;
/// Duration of each of the two slow modes.
const SLOW_SYNCS: Duration = Duration::from_secs(70);
const SLOW_READS: Duration = Duration::from_secs(20);
/// Delay in milliseconds of each sync, write and read.
const SYNCS: &str = "2000 0 0";
const READS: &str = "2000 20 200";
/// Bound of the 99th percentile of requests without writes.
const QUICK: Duration = Duration::from_millis(100);
/// Bound for each response to a write: 10 s of waiting for its turn, then its own syncs and possibly those of a
/// checkpoint.
const BOUND: Duration = Duration::from_secs(20);
/// Time limit until the server writes again after the disk is fast.
const HEALED_WITHIN: Duration = Duration::from_secs(5);
/// Attempts per measurement: other programs on the machine may delay a response too.
const TRIES: usize = 3;

/// Number of leading probes that need no database.
const WITHOUT_DATABASE: usize = 3;

const EMAIL: &str = "agent@example.com";

async fn slow_disk_delays_only_writes_and_loses_nothing(database: Database) {
    let (disk, mut installation) = Disk::of(database);
    for limit in ["LEADSCRIBE_ACCOUNT_ATTEMPTS", "LEADSCRIBE_ADDRESS_ATTEMPTS"] {
        installation.set(limit, "1000000");
    }
    let keys = [installation.key(), installation.key()];
    let reader = installation.key();
    let mut program = installation.all().await;
    let client = program.client().with_key(&reader);
    client.create("/api/users", json!({ "email": EMAIL, "password": PASSWORD, "role": "viewer" })).await;
    client.create("/api/leads", json!({ "city": "Bonn" })).await;
    let session = cookie(&log_in(&program.client(), EMAIL, PASSWORD).await);
    let probes = probes(&program, &reader, &session).await;

    let writes = Arc::new(Writes::default());
    let mut writers = JoinSet::new();
    for number in 0..WRITERS {
        let request = Request::with_key(Method::POST, &program, "/api/leads", &keys[number % keys.len()]);
        writers.spawn(write(request, number, writes.clone()));
    }
    let mut log_ins = Vec::new();
    disk.slow_down(SYNCS);
    // Time for the first slow syncs, and for writes to take all their slots.
    sleep(Duration::from_secs(3)).await;
    let before = writes.acknowledged.lock().unwrap().len();
    for attempt in 1.. {
        let quick = measure(&probes, SLOW_SYNCS);
        let (quick, more) = tokio::join!(quick, log_in_for(&program, SLOW_SYNCS));
        log_ins.extend(more);
        if quick.iter().all(|(_, p99)| *p99 <= QUICK) || attempt == TRIES {
            report("each sync takes 2 s", &quick);
            break;
        }
    }
    let acknowledged = writes.acknowledged.lock().unwrap().len();
    let refused = writes.refused.load(Ordering::SeqCst);
    let in_time = |took: &Duration| *took <= BOUND;
    assert!(log_ins.iter().all(in_time), "{log_ins:?}");
    assert!(acknowledged > before && !log_ins.is_empty(), "nothing was written");
    println!(
        "measured: {} writes acknowledged and {refused} refused for a while, each within {:.1} s; {} log-ins, \
         the slowest answered within {:.1} s",
        acknowledged - before,
        writes.slowest.lock().unwrap().as_secs_f64(),
        log_ins.len(),
        log_ins.iter().max().unwrap().as_secs_f64()
    );

    for attempt in 1.. {
        disk.slow_down(READS);
        let quick = measure(&probes[..WITHOUT_DATABASE], SLOW_READS).await;
        if quick.iter().all(|(_, p99)| *p99 <= QUICK) || attempt == TRIES {
            report("reads take 0.2 s too", &quick);
            break;
        }
    }
    disk.speed_up();
    let back = Instant::now();
    eventually("a write is acknowledged", async || writes.acknowledged.lock().unwrap().len() > acknowledged).await;
    assert!(back.elapsed() <= HEALED_WITHIN, "{:?}", back.elapsed());
    writes.over.store(true, Ordering::SeqCst);
    while let Some(ended) = writers.join_next().await {
        ended.unwrap();
    }

    program.kill();
    disk.crash_database();
    let program = installation.all().await;
    let client = program.client().with_key(&reader);
    let acknowledged = std::mem::take(&mut *writes.acknowledged.lock().unwrap());
    for (lead, city) in &acknowledged {
        assert_eq!(client.get(&format!("/api/leads/{lead}")).await.expect(200)["city"], **city);
    }
    println!("measured: all {} acknowledged writes are there after kill -9", acknowledged.len());
}
on_each_database!(
    #[ignore = "minutes: run it by `cargo xtask torture`"]
    slow_disk_delays_only_writes_and_loses_nothing
);

/// Prints the 99th percentiles, and fails if one is above its bound.
fn report(disk: &str, quick: &[(&'static str, Duration)]) {
    let told: Vec<_> = quick.iter().map(|(name, p99)| format!("{name} {p99:.1?}")).collect();
    println!("measured: {disk}, p99: {}", told.join(", "));
    for (name, p99) in quick {
        assert!(*p99 <= QUICK, "{name}: {p99:?}");
    }
}

/// Returns the requests without writes; those that need no database come first.
async fn probes(program: &Program, key: &str, session: &str) -> Vec<Probe> {
    let get = |path: &str| Request::new(Method::GET, program, path);
    let page = program.client().get("/").await.text();
    let script = page.split(['"', '\'']).find(|part| part.starts_with('/') && part.contains(".js")).unwrap_or("/");
    let look_up = Request::with_key(Method::PUT, program, "/api/leads/extended-data", key);
    let lead = Request::with_key(Method::GET, program, "/api/leads/1", key);
    let probes = [
        ("health", get("/healthz")),
        ("page", get("/")),
        ("script", get(script)),
        ("readiness", get("/readyz")),
        ("look-up", look_up.body(r#"{"city":"Bonn","limit":"10;0"}"#)),
        ("lead", lead),
        ("session", get("/api/session").header("cookie", session)),
    ];
    probes.into_iter().map(|(name, request)| Probe { name, request }).collect()
}

/// Repeats each probe sequentially for `length`, and returns the 99th percentiles.
async fn measure(probes: &[Probe], length: Duration) -> Vec<(&'static str, Duration)> {
    let measured = probes.iter().map(|probe| async { (probe.name, probe.p99(length).await) });
    futures::future::join_all(measured).await
}

/// Results of the writes.
#[derive(Default)]
struct Writes {
    /// Leads with an acknowledged creation, with their cities.
    acknowledged: Mutex<Vec<(i64, String)>>,
    /// Writes that were rejected with 503.
    refused: AtomicUsize,
    /// Longest time to a response.
    slowest: Mutex<Duration>,
    over: AtomicBool,
}

impl Writes {
    fn note_time(&self, took: Duration) {
        let mut slowest = self.slowest.lock().unwrap();
        *slowest = took.max(*slowest);
    }
}

/// Creates leads sequentially. Rejections are 503 with a `Retry-After`, which is honoured.
async fn write(request: Request, number: usize, writes: Arc<Writes>) {
    for serial in 0.. {
        if writes.over.load(Ordering::SeqCst) {
            return;
        }
        let city = format!("city {serial} of {number}");
        let answer = request.clone().body(&json!({ "city": city }).to_string()).send().await;
        assert!(answer.took <= BOUND, "{} after {:?}", answer.status, answer.took);
        writes.note_time(answer.took);
        if answer.status == StatusCode::CREATED {
            let lead: Value = serde_json::from_slice(&answer.body).unwrap();
            writes.acknowledged.lock().unwrap().push((lead["id"].as_i64().unwrap(), city));
            continue;
        }
        writes.refused.fetch_add(1, Ordering::SeqCst);
        sleep(answer.expect_retry_after()).await;
    }
}

/// Logs in repeatedly, and returns each response time. Rejections are 503 with a `Retry-After`.
async fn log_in_for(program: &Program, length: Duration) -> Vec<Duration> {
    let request = Request::new(Method::POST, program, "/api/session");
    let request = request.body(&json!({ "email": EMAIL, "password": PASSWORD }).to_string());
    let (begun, mut took) = (Instant::now(), Vec::new());
    while begun.elapsed() < length {
        let answer = request.clone().send().await;
        took.push(answer.took);
        if answer.status != StatusCode::OK {
            sleep(answer.expect_retry_after()).await;
        }
    }
    took
}

/// Disk of the database with an adjustable speed.
struct Disk {
    home: TempDir,
    /// Server on this disk, unless the database is embedded.
    postgres: Option<Cluster>,
}

impl Disk {
    /// Creates an installation whose database is on this disk.
    fn of(database: Database) -> (Self, Installation) {
        let home = tempfile::tempdir().unwrap();
        // The PostgreSQL server may run as another user.
        fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
        let library = shim::compile("slow_disk/disk.c", home.path());
        let environment = |data: &Path| {
            let paths = [("SLOW_DATA", data.to_owned()), ("SLOW_PACE", Self::pace(home.path()))];
            let paths = paths.map(|(variable, path)| (variable, path.to_str().unwrap().to_owned()));
            [("LD_PRELOAD", library)].into_iter().chain(paths)
        };
        match database {
            Database::Sqlite => {
                let mut installation = Installation::embedded();
                let data = installation.data();
                fs::create_dir_all(&data).unwrap();
                for (variable, value) in environment(&data.canonicalize().unwrap()) {
                    installation.set(variable, &value);
                }
                (Self { home, postgres: None }, installation)
            }
            Database::Postgres => {
                let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask torture` brings it");
                // The path of the cluster isn't known yet, only its beginning.
                let data = std::env::temp_dir().canonicalize().unwrap().join("leadscribe-postgres-");
                let environment = environment(&data).map(|(variable, value)| (variable.to_owned(), value)).collect();
                let options = Options { durable: true, environment, ..Options::default() };
                let server = block_in_place(|| Cluster::start(&programs, &options).unwrap());
                let installation = Installation::on(&server.url());
                (Self { home, postgres: Some(server) }, installation)
            }
        }
    }

    /// Crashes the PostgreSQL server and starts it again.
    fn crash_database(&self) {
        if let Some(server) = &self.postgres {
            block_in_place(|| server.restart(Shutdown::Immediate)).unwrap();
        }
    }

    /// Delays each sync, write and read by these milliseconds.
    fn slow_down(&self, pace: &str) {
        let new = self.home.path().join("new");
        fs::write(&new, pace).unwrap();
        fs::rename(new, Self::pace(self.home.path())).unwrap();
    }

    /// Removes all delays.
    fn speed_up(&self) {
        fs::remove_file(Self::pace(self.home.path())).unwrap();
    }

    fn pace(home: &Path) -> PathBuf {
        home.join("pace")
    }
}
