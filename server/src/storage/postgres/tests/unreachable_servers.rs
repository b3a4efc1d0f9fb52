//! Tests of URLs and of unreachable servers.

use std::sync::Arc;

use super::{TIMEOUT, count_rows, new_database};
use crate::storage::postgres::pool::Pool;
use crate::storage::postgres::target::Target;
use crate::storage::postgres::testing::{TestDatabase, database_url};
use crate::storage::postgres::{self, Postgres};
use crate::storage::sql::{Database, Session};
use crate::storage::{Result, StoreError};
use crate::telemetry::error_chain;

#[tokio::test]
async fn stopped_server_is_reported_immediately() {
    let (database, test_database) = new_database();
    database.read(|session| count_rows(session, "leads")).await.unwrap();
    drop(test_database);
    let started = std::time::Instant::now();
    for _ in 0..3 {
        let result = database.read(|session| count_rows(session, "leads")).await;
        assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
}

/// Connection limit of the database user.
const CONNECTION_LIMIT: usize = 2;
/// Pool size; larger than [`CONNECTION_LIMIT`].
const POOL_SIZE: usize = 8;

/// Slow enough that several run at the same time.
fn slow_query(session: &dyn Session) -> Result<i64> {
    session.query_value("SELECT CAST(1 AS BIGINT) FROM (SELECT pg_sleep(0.02)) AS slept", &[])
}

#[tokio::test]
async fn pool_shares_open_connections_when_the_server_is_full() {
    let test_database = TestDatabase::with_schema();
    let user = test_database.create_user();
    test_database.run(&format!("ALTER ROLE {} CONNECTION LIMIT {CONNECTION_LIMIT}", user.name));
    let database = || {
        let target = Target::parse_primary(&user.url).unwrap();
        Postgres { pool: Arc::new(Pool::new(target, POOL_SIZE)), replica: None }
    };
    let first = database();
    let writes = futures::future::join_all((0..POOL_SIZE * 5).map(|_| first.write(slow_query)));
    for result in writes.await {
        result.unwrap();
    }
    let connections = first.connection_stats();
    assert_eq!((connections.in_use, connections.idle, connections.waiting), (0, CONNECTION_LIMIT, 0));

    // A pool without an open connection fails immediately.
    let message = error_chain(&database().read(slow_query).await.unwrap_err());
    assert!(message.starts_with("storage is unavailable: ") && message.contains("(SQLSTATE 53300)"), "{message}");
    drop(first);
}

#[tokio::test]
async fn pool_reopens_connections_when_the_server_has_room() {
    let test_database = TestDatabase::with_schema();
    let user = test_database.create_user();
    test_database.run(&format!("ALTER ROLE {} CONNECTION LIMIT 1", user.name));
    let database =
        Postgres { pool: Arc::new(Pool::new(Target::parse_primary(&user.url).unwrap(), POOL_SIZE)), replica: None };
    let write_twice = || async { futures::future::join(database.write(slow_query), database.write(slow_query)).await };
    let (first, second) = write_twice().await;
    assert_eq!((first.unwrap(), second.unwrap(), database.connection_stats().idle), (1, 1, 1));
    test_database.run(&format!("ALTER ROLE {} CONNECTION LIMIT -1", user.name));
    let second_connection = async {
        while database.connection_stats().idle < 2 {
            let (first, second) = write_twice().await;
            assert_eq!((first.unwrap(), second.unwrap()), (1, 1));
        }
    };
    tokio::time::timeout(TIMEOUT, second_connection).await.expect("another connection");
}

/// Server that accepts connections and never responds: the system accepts them until the backlog is full.
fn unresponsive_server() -> (std::net::TcpListener, String) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, format!("postgres://ada:hunter2@{address}/calls?connect_timeout=1"))
}

#[tokio::test]
async fn unresponsive_server_is_unavailable() {
    for mode in ["disable", "prefer", "require"] {
        let (_listener, url) = unresponsive_server();
        let target = Target::parse_primary(&format!("{url}&sslmode={mode}")).unwrap();
        let location = target.location();
        let database = Postgres { pool: Arc::new(Pool::new(target, 1)), replica: None };
        let point_read = database.read(|session| count_rows(session, "leads"));
        let message = error_chain(&tokio::time::timeout(TIMEOUT, point_read).await.expect("a result").unwrap_err());
        assert_eq!(message, format!("storage is unavailable: {location}: the server was not ready within 1 s"));
    }
}

#[test]
fn start_fails_if_the_server_does_not_respond() {
    let (_listener, url) = unresponsive_server();
    let message = error_chain(&Postgres::open(&url, None, 1).unwrap_err());
    assert!(message.ends_with("the server was not ready within 1 s"), "{message}");
}

#[test]
fn connect_timeout_applies_to_each_host() {
    let limit_seconds = |url: &str| Target::parse_primary(url).unwrap().time_limit().as_secs();
    assert_eq!(limit_seconds("postgres://one/calls"), 8);
    assert_eq!(limit_seconds("postgres://one,two/calls"), 11);
    assert_eq!(limit_seconds("postgres://one,two/calls?connect_timeout=7"), 14);
}

#[test]
fn connection_errors_name_the_location() {
    let error_text = |url: &str| error_chain(&Postgres::open(url, None, 1).unwrap_err());
    let refused = "error connecting to server: Connection refused (os error 111)";
    assert_eq!(
        error_text("postgres://ada:hunter2@127.0.0.1:1/calls"),
        format!("can't open the database: database calls at 127.0.0.1:1: {refused}")
    );
    let unknown = error_text(&database_url("no_such_database"));
    assert!(unknown.starts_with("can't open the database: database no_such_database at "), "{unknown}");
    assert!(unknown.ends_with(r#": FATAL: database "no_such_database" does not exist (SQLSTATE 3D000)"#), "{unknown}");
}

#[test]
fn locations_are_readable() {
    let location = |url: &str| postgres::location(url).unwrap();
    assert_eq!(location("postgres://ada:hunter2@one,two:6000/calls"), "database calls at one:5432, two:6000");
    assert_eq!(location("postgres://ada:hunter2@one"), "database ada at one:5432");
    assert_eq!(location("postgres:///calls?host=/run/pg&port=5433"), "database calls at /run/pg:5433");
    assert_eq!(location("postgres:///calls?hostaddr=::1"), "database calls at ::1:5432");
}

#[test]
fn errors_hide_the_password() {
    let urls = [
        database_url("no_such_database").replace("127.0.0.1", "localhost"),
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
    let server = database_url("x").parse::<url::Url>().unwrap();
    for url in urls {
        let error = Postgres::open(&url, None, 1).unwrap_err();
        for text in [error_chain(&error), format!("{error:?}")] {
            assert!(!text.contains("hunter2"), "{text}");
            assert!(server.password().is_none_or(|secret| !text.contains(secret)), "{text}");
        }
    }
    let target = Target::parse_primary("postgres://ada:hunter2@127.0.0.1/calls").unwrap();
    assert!(!format!("{target:?}").contains("hunter2"));
}

#[test]
fn urls_are_parsed_like_libpq() {
    let parse =
        |url: &str| Target::parse_primary(url).map(|target| format!("{target:?}")).map_err(|error| error.to_string());
    let expected = |reason: &str| {
        Err(format!("invalid URL: {reason}; use the form `postgres://user:password@host:5432/database`"))
    };
    assert_eq!(
        parse("postgresql://ada:p%40%3Fw@db.example:5433/calls?sslmode=require&connect_timeout=2").unwrap(),
        r#"Target { hosts: [Tcp("db.example")], ports: [5433], database: Some("calls"), tls: true }"#
    );
    assert_eq!(
        parse("postgres:///calls?host=/var/run/postgresql&sslmode=require").unwrap(),
        r#"Target { hosts: [Unix("/var/run/postgresql")], ports: [], database: Some("calls"), tls: false }"#
    );
    assert_eq!(
        parse("postgres://one,two:6000/calls?sslmode=disable&target_session_attrs=read-write").unwrap(),
        r#"Target { hosts: [Tcp("one"), Tcp("two")], ports: [5432, 6000], database: Some("calls"), tls: false }"#
    );
    assert_eq!(parse("host=db.example"), expected("it doesn't begin with `postgres://`"));
    assert_eq!(parse("postgres://"), expected("it has no host"));
    let hint = "; write an `@` in a user's name or password as `%40`";
    assert_eq!(
        parse("postgres://ada:p@ss@db.example/calls"),
        expected(&format!("it has more than one `@` before the options{hint}"))
    );
    assert_eq!(
        parse("postgres://ada:p@s?s@db.example/calls"),
        expected(&format!("it has an option without a value{hint}"))
    );
    assert_eq!(
        parse("postgres://a/b?sslmode=on"),
        expected("its sslmode is not one of disable, prefer, require, verify-ca, verify-full")
    );
    assert_eq!(
        parse("postgres://a/b?sslmode=require&sslrootcert=system"),
        expected("`sslrootcert=system` needs `sslmode=verify-full`")
    );
    assert_eq!(
        parse("postgres://a/b?sslmode=verify-ca&sslrootcert=/no/such/file"),
        Err("/no/such/file contains no readable PEM certificate".to_owned())
    );
}
