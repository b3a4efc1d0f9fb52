//! Tests of [`Cluster`] and [`Database`] with PostgreSQL's own client, `psql`.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use leadscribe_test_postgres::{Cluster, Database, Options, SERVER_URL_VARIABLE, Shutdown, bin_dir};

fn postgres_bin_dir() -> PathBuf {
    bin_dir().expect("PostgreSQL is missing; run `cargo xtask test`")
}

fn sql(url: &str, statement: &str) -> String {
    leadscribe_test_postgres::sql(url, statement).unwrap()
}

fn fails(url: &str, statement: &str) -> bool {
    leadscribe_test_postgres::sql(url, statement).is_err()
}

fn eventually(description: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "timed out after 20 s waiting until {description}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn commits_survive_until_cluster_is_dropped() {
    let settings = vec![("work_mem".to_owned(), "7MB".to_owned())];
    let cluster =
        Cluster::start(&postgres_bin_dir(), &Options { durable: true, settings, ..Options::default() }).unwrap();
    let url = cluster.url();
    let settings = "SELECT current_setting('work_mem'), current_setting('fsync'), current_setting('max_connections')";
    assert_eq!(sql(&url, settings), "7MB|on|200");
    sql(&url, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)");

    cluster.restart(Shutdown::Immediate).unwrap();
    assert_eq!(sql(&url, "SELECT id FROM kept"), "1");
    cluster.stop(Shutdown::Fast).unwrap();
    assert!(fails(&url, "SELECT 1"));
    cluster.start_stopped().unwrap();
    assert_eq!(sql(&url, "SELECT id FROM kept"), "1");

    let folder = PathBuf::from(sql(&url, "SHOW data_directory"));
    drop(cluster);
    assert!(fails(&url, "SELECT 1"));
    assert!(!folder.parent().unwrap().exists());
}

#[test]
fn connection_requires_password() {
    let cluster = Cluster::start(&postgres_bin_dir(), &Options::default()).unwrap();
    let (_, address) =
        cluster.url().split_once('@').map(|(user, address)| (user.to_owned(), address.to_owned())).unwrap();
    assert!(fails(&format!("postgres://postgres:wrong@{address}"), "SELECT 1"));
    assert_eq!(sql(&cluster.url(), "SHOW fsync"), "off");
}

#[test]
fn dropping_database_closes_connections() {
    let cluster = Cluster::start(&postgres_bin_dir(), &Options::default()).unwrap();
    let database = Database::create_on(&cluster.url()).unwrap();
    let name = database.name().to_owned();
    assert_eq!(sql(database.url(), "SELECT current_database()"), name);
    let mut client = Command::new(postgres_bin_dir().join("psql"));
    client.args([database.url(), "-Xqc", "SELECT pg_sleep(60)"]).stderr(Stdio::null());
    let mut client = client.spawn().unwrap();
    let connections = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}'");
    eventually("the client is connected", || sql(&cluster.url(), &connections) == "1");
    drop(database);
    assert_eq!(sql(&cluster.url(), &format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'")), "0");
    assert!(!client.wait().unwrap().success());
}

/// Environment variable that tells this test program that it is the process to be killed.
const VICTIM_VARIABLE: &str = "LEADSCRIBE_TEST_VICTIM";

#[test]
fn cluster_stops_when_its_owner_is_killed() {
    if std::env::var_os(VICTIM_VARIABLE).is_some() {
        let database = Database::create().unwrap();
        println!("url {}", database.url());
        println!("folder {}", sql(database.url(), "SHOW data_directory"));
        std::thread::sleep(Duration::from_secs(60));
    }
    let mut victim = Command::new(std::env::current_exe().unwrap());
    victim.args(["--exact", "cluster_stops_when_its_owner_is_killed", "--nocapture"]);
    let mut victim =
        victim.env(VICTIM_VARIABLE, "1").env_remove(SERVER_URL_VARIABLE).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut read_value =
        |prefix: &str| lines.find_map(|line| line.strip_prefix(prefix).map(str::to_owned)).expect(prefix);
    let (url, folder) = (read_value("url "), PathBuf::from(read_value("folder ")));
    assert_eq!(sql(&url, "SELECT 1"), "1");

    victim.kill().unwrap();
    victim.wait().unwrap();
    eventually("the folder is removed", || !folder.exists());
    assert!(fails(&url, "SELECT 1"));
}
