//! Two thousand clients that send or read as slowly as they can: the others hardly notice. Those that send are of `slowhttptest`;
//! those that read ask for what is large, and have a key.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::load::{LONG_PAGE, Lookup, percentile};
use crate::harness::Installation;

/// The ways of being slow, as slowhttptest names them, and where each goes: bodies to what anybody may send one to.
const WAYS: [(&str, &str, &str); 2] = [("-H", "heads", "/api/openapi.json"), ("-B", "bodies", "/api/session")];
/// How many slow clients there are.
const CLIENTS: usize = 2_000;
/// How often the others ask, one after the other, each over a connection of its own.
const ASKED: usize = 1_000;
/// What 99 of 100 may take, in times of what they take without slow clients.
const TIMES: f64 = 2.0;
/// How long the slow clients have to be there.
const ARRIVAL: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn two_thousand_slow_clients_hold_nobody_up() {
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

/// What 99 of 100 look-ups take, from the first packet to the last byte.
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

/// Slow clients, gone when dropped.
struct Slow(Child);

impl Slow {
    fn start(flag: &str, url: &str) -> Self {
        let program = std::env::var("LEADSCRIBE_SLOWHTTPTEST").unwrap_or("slowhttptest".to_owned());
        let process = Command::new(program)
            // 1,000 new ones each second; each sends a few bytes every 2 s, or reads 5 bytes each 5 s; for 2 minutes at most.
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
