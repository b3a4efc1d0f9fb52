//! Tests of URLs and of unreachable servers.

use std::sync::Arc;

use super::{PATIENCE, count, in_full, open};
use crate::storage::StoreError;
use crate::storage::postgres::pool::Pool;
use crate::storage::postgres::target::Target;
use crate::storage::postgres::testing::{Fresh, url_of};
use crate::storage::postgres::{self, Postgres};
use crate::storage::sql::{Database, Session};

#[tokio::test]
async fn stopped_server_is_reported_immediately() {
    let (database, fresh) = open();
    database.read(|session| count(session, "leads")).await.unwrap();
    drop(fresh);
    let started = std::time::Instant::now();
    for _ in 0..3 {
        let failed = database.read(|session| count(session, "leads")).await;
        assert!(matches!(failed, Err(StoreError::Unavailable(_))), "{failed:?}");
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
}

/// Connection limit of the user, and a higher number of concurrent reads.
const GRANTED: usize = 2;
const WANTED: usize = 8;

/// Slow enough that several run at the same time.
fn slowly(session: &dyn Session) -> Result<i64, StoreError> {
    session.value("SELECT CAST(1 AS BIGINT) FROM (SELECT pg_sleep(0.02)) AS slept", &[])
}

#[tokio::test]
async fn pool_shares_open_connections_when_the_server_is_full() {
    let fresh = Fresh::create();
    let user = fresh.user();
    fresh.run(&format!("ALTER ROLE {} CONNECTION LIMIT {GRANTED}", user.name));
    let database = || {
        let target = Target::read(&user.url).unwrap();
        Postgres { pool: Arc::new(Pool::new(target, WANTED)), replica: None }
    };
    let one = database();
    let asked = futures::future::join_all((0..WANTED * 5).map(|_| one.write(slowly)));
    for done in asked.await {
        done.unwrap();
    }
    let connections = one.connections();
    assert_eq!((connections.used, connections.idle, connections.waiting), (0, GRANTED, 0));

    // A pool without an open connection fails immediately.
    let said = in_full(&database().read(slowly).await.unwrap_err());
    assert!(said.starts_with("storage is unavailable: ") && said.contains("(SQLSTATE 53300)"), "{said}");
    drop(one);
}

#[tokio::test]
async fn pool_reopens_connections_when_the_server_has_room() {
    let fresh = Fresh::create();
    let user = fresh.user();
    fresh.run(&format!("ALTER ROLE {} CONNECTION LIMIT 1", user.name));
    let database = Postgres { pool: Arc::new(Pool::new(Target::read(&user.url).unwrap(), WANTED)), replica: None };
    let both = || async { futures::future::join(database.write(slowly), database.write(slowly)).await };
    let (one, other) = both().await;
    assert_eq!((one.unwrap(), other.unwrap(), database.connections().idle), (1, 1, 1));
    fresh.run(&format!("ALTER ROLE {} CONNECTION LIMIT -1", user.name));
    let grown = async {
        while database.connections().idle < 2 {
            let (one, other) = both().await;
            assert_eq!((one.unwrap(), other.unwrap()), (1, 1));
        }
    };
    tokio::time::timeout(PATIENCE, grown).await.expect("another connection");
}

/// Server that accepts connections and never responds: the system accepts them until the backlog is full.
fn silent() -> (std::net::TcpListener, String) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, format!("postgres://ada:hunter2@{address}/calls?connect_timeout=1"))
}

#[tokio::test]
async fn unresponsive_server_is_unavailable() {
    for mode in ["disable", "prefer", "require"] {
        let (_listener, url) = silent();
        let target = Target::read(&format!("{url}&sslmode={mode}")).unwrap();
        let place = target.place();
        let database = Postgres { pool: Arc::new(Pool::new(target, 1)), replica: None };
        let asked = database.read(|session| count(session, "leads"));
        let said = in_full(&tokio::time::timeout(PATIENCE, asked).await.expect("an answer").unwrap_err());
        assert_eq!(said, format!("storage is unavailable: {place}: the server was not ready within 1 s"));
    }
}

#[test]
fn start_fails_if_the_server_does_not_respond() {
    let (_listener, url) = silent();
    let said = in_full(&Postgres::open(&url, None, 1).unwrap_err());
    assert!(said.ends_with("the server was not ready within 1 s"), "{said}");
}

#[test]
fn connect_timeout_applies_to_each_host() {
    let limit = |url: &str| Target::read(url).unwrap().limit().as_secs();
    assert_eq!(limit("postgres://one/calls"), 8);
    assert_eq!(limit("postgres://one,two/calls"), 11);
    assert_eq!(limit("postgres://one,two/calls?connect_timeout=7"), 14);
}

#[test]
fn connection_errors_name_the_location() {
    let said = |url: &str| in_full(&Postgres::open(url, None, 1).unwrap_err());
    let refused = "error connecting to server: Connection refused (os error 111)";
    assert_eq!(
        said("postgres://ada:hunter2@127.0.0.1:1/calls"),
        format!("can't open the database: database calls at 127.0.0.1:1: {refused}")
    );
    let unknown = said(&url_of("no_such_database"));
    assert!(unknown.starts_with("can't open the database: database no_such_database at "), "{unknown}");
    assert!(unknown.ends_with(r#": FATAL: database "no_such_database" does not exist (SQLSTATE 3D000)"#), "{unknown}");
}

#[test]
fn locations_are_readable() {
    let place = |url: &str| postgres::place(url).unwrap();
    assert_eq!(place("postgres://ada:hunter2@one,two:6000/calls"), "database calls at one:5432, two:6000");
    assert_eq!(place("postgres://ada:hunter2@one"), "database ada at one:5432");
    assert_eq!(place("postgres:///calls?host=/run/pg&port=5433"), "database calls at /run/pg:5433");
    assert_eq!(place("postgres:///calls?hostaddr=::1"), "database calls at ::1:5432");
}

#[test]
fn errors_hide_the_password() {
    let urls = [
        url_of("no_such_database").replace("127.0.0.1", "localhost"),
        "postgres://ada:hunter2@127.0.0.1:1/calls".to_owned(),
        "postgres://ada:hunter2@127.0.0.1:hunter2/calls".to_owned(),
        "postgres://ada:hunter2@127.0.0.1/calls?hunter2=1".to_owned(),
        "postgres://ada:hunter2@127.0.0.1/calls?hunter2".to_owned(),
        "postgres://ada@127.0.0.1/calls?password=hunter2&more".to_owned(),
        "postgres://ada:hunter2%ff@/calls".to_owned(),
        "postgres://ada:p@hunter2@127.0.0.1:1/calls".to_owned(),
        "postgres://ada:p@ss/hunter2@127.0.0.1:1/calls".to_owned(),
        "postgres://ada:p@hunter2?x@127.0.0.1:1/calls".to_owned(),
        "mysql://ada:hunter2@127.0.0.1/calls".to_owned(),
    ];
    let real = url_of("x").parse::<url::Url>().unwrap();
    for url in urls {
        let error = Postgres::open(&url, None, 1).unwrap_err();
        for said in [in_full(&error), format!("{error:?}")] {
            assert!(!said.contains("hunter2"), "{said}");
            assert!(real.password().is_none_or(|secret| !said.contains(secret)), "{said}");
        }
    }
    let target = Target::read("postgres://ada:hunter2@127.0.0.1/calls").unwrap();
    assert!(!format!("{target:?}").contains("hunter2"));
}

#[test]
fn urls_are_parsed_like_libpq() {
    let read = |url: &str| Target::read(url).map(|target| format!("{target:?}")).map_err(|error| error.to_string());
    let expected =
        |why: &str| Err(format!("expected a URL such as `postgres://user:password@host:5432/database`, but {why}"));
    assert_eq!(
        read("postgresql://ada:p%40%3Fw@db.example:5433/calls?sslmode=require&connect_timeout=2").unwrap(),
        r#"Target { hosts: [Tcp("db.example")], ports: [5433], database: Some("calls"), tls: true }"#
    );
    assert_eq!(
        read("postgres:///calls?host=/var/run/postgresql&sslmode=require").unwrap(),
        r#"Target { hosts: [Unix("/var/run/postgresql")], ports: [], database: Some("calls"), tls: false }"#
    );
    assert_eq!(
        read("postgres://one,two:6000/calls?sslmode=disable&target_session_attrs=read-write").unwrap(),
        r#"Target { hosts: [Tcp("one"), Tcp("two")], ports: [5432, 6000], database: Some("calls"), tls: false }"#
    );
    assert_eq!(read("host=db.example"), expected("it doesn't begin with `postgres://`"));
    assert_eq!(read("postgres://"), expected("it names no host"));
    let hint = "; write an `@` in a user's name or password as `%40`";
    assert_eq!(
        read("postgres://ada:p@ss@db.example/calls"),
        expected(&format!("it has more than one `@` before the options{hint}"))
    );
    assert_eq!(read("postgres://ada:p@s?s@db.example/calls"), expected(&format!("an option in it has no value{hint}")));
    assert_eq!(
        read("postgres://a/b?sslmode=on"),
        expected("its sslmode is not one of disable, prefer, require, verify-ca, verify-full")
    );
    assert_eq!(
        read("postgres://a/b?sslmode=require&sslrootcert=system"),
        expected("`sslrootcert=system` needs `sslmode=verify-full`")
    );
    assert_eq!(
        read("postgres://a/b?sslmode=verify-ca&sslrootcert=/no/such/file"),
        Err("expected certificates in PEM in /no/such/file, found none that can be read".to_owned())
    );
}
