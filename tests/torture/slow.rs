//! Slow clients: two thousand clients that send or read as slowly as possible barely affect others. The senders are
//! `slowhttptest`; the readers request long pages with a key.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::load::{LONG_PAGE, Lookup, percentile};
use crate::harness::Installation;

/// Modes of slowhttptest with their targets. Bodies go to an operation that needs no credentials.
const WAYS: [(&str, &str, &str); 2] = [("-H", "heads", "/api/openapi.json"), ("-B", "bodies", "/api/session")];
/// Number of slow clients.
const CLIENTS: usize = 2_000;
/// Number of sequential requests of other clients, each over a new connection.
const ASKED: usize = 1_000;
/// Bound of the 99th percentile, as a multiple of the value without slow clients.
const TIMES: f64 = 2.0;
/// Time for the slow clients to connect.
const ARRIVAL: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn two_thousand_slow_clients_do_not_delay_others() {
    let installation = Installation::embedded();
    let (program, lookup) = Lookup::on(&installation).await;
    let _warm = p99(&lookup).await;
    let base = p99(&lookup).await;
    println!("measured: p99 {base:.1?} without slow clients");
    for (flag, what, path) in WAYS {
        let slow = Slow::start(flag, &format!("{}{path}", program.base));
        tokio::time::sleep(ARRIVAL).await;
        let with = p99(&lookup).await;
        drop(slow);
        judge(what, base, with);
    }
    let readers: JoinSet<_> = (0..CLIENTS).map(|_| lookup.of(LONG_PAGE).read_slowly()).collect();
    tokio::time::sleep(ARRIVAL).await;
    let with = p99(&lookup).await;
    drop(readers);
    judge("reads", base, with);
}

fn judge(what: &str, base: Duration, with: Duration) {
    let times = with.as_secs_f64() / base.as_secs_f64();
    println!("measured: p99 {with:.1?} beside {CLIENTS} clients with slow {what}, {times:.1} times");
    assert!(times <= TIMES, "slow {what}");
}

/// Returns the 99th percentile of searches, from connecting to the last byte.
async fn p99(lookup: &Lookup) -> Duration {
    let mut times = Vec::new();
    for _ in 0..ASKED {
        let begin = Instant::now();
        let answer = lookup.connect().await.unwrap().ask().await.unwrap();
        assert_eq!(answer.status, 200);
        times.push(begin.elapsed());
    }
    percentile(&mut times, 0.99)
}

/// Slow clients. Killed when dropped.
struct Slow(Child);

impl Slow {
    fn start(flag: &str, url: &str) -> Self {
        let program = std::env::var("LEADSCRIBE_SLOWHTTPTEST").unwrap_or("slowhttptest".to_owned());
        let process = Command::new(program)
            // 1,000 new clients a second. Each sends a few bytes every 2 s, or reads 5 bytes every 5 s, for at most 2
            // minutes.
            .args([
                flag, "-c", "2000", "-r", "1000", "-i", "2", "-l", "120", "-n", "5", "-z", "5", "-w", "16", "-y", "32",
            ])
            .args(["-u", url])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("slowhttptest; `cargo xtask torture` brings it");
        Self(process)
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
