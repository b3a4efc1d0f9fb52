//! Tests of dedicated servers, with PostgreSQL's own client.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use leadscribe_test_postgres::{Cluster, Database, Options, SHARED, Shutdown, bin_dir};

fn programs() -> PathBuf {
    bin_dir().expect("a PostgreSQL server on this machine; `cargo xtask test` brings it")
}

fn sql(url: &str, statement: &str) -> String {
    leadscribe_test_postgres::sql(url, statement).unwrap()
}

fn is_refused(url: &str, statement: &str) -> bool {
    leadscribe_test_postgres::sql(url, statement).is_err()
}

fn eventually(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}: not so after 20 s");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn commits_survive_until_cluster_is_dropped() {
    let settings = vec![("work_mem".to_owned(), "7MB".to_owned())];
    let cluster = Cluster::start(&programs(), &Options { durable: true, settings, ..Options::default() }).unwrap();
    let url = cluster.url();
    let settings = "SELECT current_setting('work_mem'), current_setting('fsync'), current_setting('max_connections')";
    assert_eq!(sql(&url, settings), "7MB|on|200");
    sql(&url, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)");

    cluster.restart(Shutdown::Immediate).unwrap();
    assert_eq!(sql(&url, "SELECT id FROM kept"), "1");
    cluster.stop(Shutdown::Fast).unwrap();
    assert!(is_refused(&url, "SELECT 1"));
    cluster.start_again().unwrap();
    assert_eq!(sql(&url, "SELECT id FROM kept"), "1");

    let folder = PathBuf::from(sql(&url, "SHOW data_directory"));
    drop(cluster);
    assert!(is_refused(&url, "SELECT 1"));
    assert!(!folder.parent().unwrap().exists());
}

#[test]
fn connection_requires_password() {
    let cluster = Cluster::start(&programs(), &Options::default()).unwrap();
    let (_, address) =
        cluster.url().split_once('@').map(|(user, address)| (user.to_owned(), address.to_owned())).unwrap();
    assert!(is_refused(&format!("postgres://postgres:wrong@{address}"), "SELECT 1"));
    assert_eq!(sql(&cluster.url(), "SHOW fsync"), "off");
}

#[test]
fn replica_follows_primary() {
    let primary = Cluster::start(&programs(), &Options::default()).unwrap();
    sql(&primary.url(), "CREATE TABLE followed AS SELECT 1 AS id");
    let replica = primary.replica().unwrap();
    let read = || sql(&replica.url(), "SELECT sum(id) FROM followed");
    eventually("what was there", || read() == "1");
    sql(&primary.url(), "INSERT INTO followed VALUES (2)");
    eventually("what came later", || read() == "3");
    assert_eq!(sql(&replica.url(), "SELECT pg_is_in_recovery()"), "t");
    assert!(is_refused(&replica.url(), "INSERT INTO followed VALUES (4)"));

    drop(primary);
    assert_eq!(read(), "3");
}

#[test]
fn promoted_standby_lacks_unreplicated_rows() {
    let primary = Cluster::start(&programs(), &Options::default()).unwrap();
    sql(&primary.url(), "CREATE TABLE followed AS SELECT 1 AS id");
    let standby = primary.replica().unwrap();
    standby.cut_off().unwrap();
    sql(&primary.url(), "INSERT INTO followed VALUES (2)");
    let port = primary.port();
    drop(primary);
    standby.promote().unwrap();
    sql(&standby.url(), "INSERT INTO followed VALUES (4)");
    let next = standby.replica_on(port).unwrap();
    eventually("what the promoted one has", || sql(&next.url(), "SELECT sum(id) FROM followed") == "5");
}

#[test]
fn dropping_database_closes_connections() {
    let cluster = Cluster::start(&programs(), &Options::default()).unwrap();
    let database = Database::create_on(&cluster.url()).unwrap();
    let name = database.name().to_owned();
    assert_eq!(sql(database.url(), "SELECT current_database()"), name);
    let mut connected = Command::new(programs().join("psql"));
    connected.args([database.url(), "-Xqc", "SELECT pg_sleep(60)"]).stderr(Stdio::null());
    let mut connected = connected.spawn().unwrap();
    let connections = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}'");
    eventually("connected", || sql(&cluster.url(), &connections) == "1");
    drop(database);
    assert_eq!(sql(&cluster.url(), &format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'")), "0");
    assert!(!connected.wait().unwrap().success());
}

/// Environment variable that is set in the process to be killed.
const VICTIM: &str = "LEADSCRIBE_TEST_VICTIM";

#[test]
fn cluster_stops_when_its_process_is_killed() {
    if std::env::var_os(VICTIM).is_some() {
        let database = Database::create().unwrap();
        println!("url {}", database.url());
        println!("folder {}", sql(database.url(), "SHOW data_directory"));
        std::thread::sleep(Duration::from_secs(60));
    }
    let mut victim = Command::new(std::env::current_exe().unwrap());
    victim.args(["--exact", "cluster_stops_when_its_process_is_killed", "--nocapture"]);
    let mut victim = victim.env(VICTIM, "1").env_remove(SHARED).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut said = |what: &str| lines.find_map(|line| line.strip_prefix(what).map(str::to_owned)).expect(what);
    let (url, folder) = (said("url "), PathBuf::from(said("folder ")));
    assert_eq!(sql(&url, "SELECT 1"), "1");

    victim.kill().unwrap();
    victim.wait().unwrap();
    eventually("removed", || !folder.exists());
    assert!(is_refused(&url, "SELECT 1"));
}
