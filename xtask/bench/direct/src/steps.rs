//! Steps from standard input, one per line, with results on standard output:
//!
//! - `responses SHAPE`: the response to each query of the shape, one per line, then an empty line
//! - `run SHAPE CLIENTS SECONDS`: p50 and p99 in milliseconds, responses per second, mean bytes per response

use std::io::{self, BufRead, Write};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::workload::Query;

/// System that responds to queries.
pub trait System: Sync {
    /// State of one client, such as a connection.
    type Client;

    /// Creates a client.
    fn connect(&self) -> Result<Self::Client>;

    /// Writes the response to `query` into `out`.
    fn respond(&self, client: &mut Self::Client, query: &Query, out: &mut Vec<u8>) -> Result<()>;
}

/// Runs steps until standard input ends. Prints `ready` first, so that no step includes loading.
pub fn serve(system: &impl System, workload: &[Query]) -> Result<()> {
    println!("ready");
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["responses", shape] => print_responses(system, &queries_of_shape(workload, shape)?)?,
            ["run", shape, clients, seconds] => {
                let duration = Duration::try_from_secs_f64(seconds.parse()?)?;
                println!("{}", run(system, &queries_of_shape(workload, shape)?, clients.parse()?, duration)?);
            }
            _ => bail!("expected responses or run, found {line:?}"),
        }
    }
    Ok(())
}

fn queries_of_shape<'a>(workload: &'a [Query], shape: &str) -> Result<Vec<&'a Query>> {
    let queries: Vec<_> = workload.iter().filter(|query| query.shape == shape).collect();
    ensure!(!queries.is_empty(), "no query has the shape {shape}");
    Ok(queries)
}

fn print_responses<S: System>(system: &S, queries: &[&Query]) -> Result<()> {
    let mut client = system.connect()?;
    let (mut stdout, mut out) = (io::stdout().lock(), Vec::new());
    for query in queries {
        system.respond(&mut client, query, &mut out)?;
        out.push(b'\n');
        stdout.write_all(&out)?;
    }
    stdout.write_all(b"\n")?;
    Ok(stdout.flush()?)
}

/// Closed-loop load: each client sends its next query directly after the response.
fn run<S: System>(system: &S, queries: &[&Query], clients: usize, duration: Duration) -> Result<String> {
    let ready = Barrier::new(clients);
    let run_client = |number: usize| -> Result<(Vec<u32>, usize, f64)> {
        let mut out = Vec::with_capacity(1 << 20);
        let warmed = system.connect().and_then(|mut client| {
            // A single client warms up for all, so that many clients don't need much time before the measurement.
            let warm_up = if clients == 1 { queries.len() } else { 2 };
            let started_at = Instant::now();
            for query in queries.iter().take(warm_up).take_while(|_| started_at.elapsed() < duration) {
                system.respond(&mut client, query, &mut out)?;
            }
            Ok(client)
        });
        // Every thread must reach the barrier, otherwise the others would wait forever.
        ready.wait();
        let mut client = warmed?;
        let (mut times, mut bytes, started_at) = (Vec::new(), 0, Instant::now());
        // Each client starts at another query, so that they don't send the same query at the same time.
        for query in queries.iter().cycle().skip(number * 7 % queries.len()) {
            let started = Instant::now();
            if started >= started_at + duration && !times.is_empty() {
                break;
            }
            system.respond(&mut client, query, &mut out)?;
            bytes += out.len();
            times.push((started.elapsed().as_nanos() / 100) as u32);
        }
        Ok((times, bytes, started_at.elapsed().as_secs_f64()))
    };
    let all = thread::scope(|scope| {
        let threads: Vec<_> = (0..clients).map(|number| scope.spawn(move || run_client(number))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().expect("a client doesn't panic");
        threads.into_iter().map(join).collect::<Result<Vec<_>>>()
    })?;
    let per_second: f64 = all.iter().map(|(times, _, seconds)| times.len() as f64 / seconds).sum();
    let bytes: usize = all.iter().map(|(_, bytes, _)| bytes).sum();
    let mut times: Vec<_> = all.into_iter().flat_map(|(times, ..)| times).collect();
    times.sort_unstable();
    // In tenths of a microsecond.
    let percentile_ms = |part: f64| f64::from(times[((times.len() - 1) as f64 * part) as usize]) / 10_000.0;
    Ok(format!("{:.4} {:.4} {per_second:.1} {}", percentile_ms(0.5), percentile_ms(0.99), bytes / times.len()))
}

/// Returns the arguments of the program, which must match `names` in number.
pub fn arguments<const N: usize>(names: [&str; N]) -> Result<[String; N]> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    <[String; N]>::try_from(args).ok().with_context(|| format!("expected the arguments {}", names.join(", ")))
}
