//! The databases that a server can stand on.

/// The environment variable that puts every test of the API on another database: `postgres`.
const VARIABLE: &str = "LEADSCRIBE_TEST_DATABASE";

/// A kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// In the data folder.
    Sqlite,
    /// On a PostgreSQL server.
    Postgres,
}

impl Database {
    /// The one that tests stand on unless they say otherwise: SQLite, or what the environment names.
    pub fn usual() -> Self {
        match std::env::var(VARIABLE).as_deref() {
            Err(_) | Ok("" | "sqlite") => Self::Sqlite,
            Ok("postgres") => Self::Postgres,
            Ok(other) => panic!("{VARIABLE}: expected sqlite or postgres, found {other}"),
        }
    }

    /// An empty PostgreSQL database, if it is to be there.
    pub async fn make(self) -> Option<leadscribe_test_postgres::Database> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(postgres().await),
        }
    }
}

/// An empty PostgreSQL database on the server that all tests share.
pub async fn postgres() -> leadscribe_test_postgres::Database {
    tokio::task::spawn_blocking(|| leadscribe_test_postgres::Database::create().unwrap()).await.unwrap()
}

/// Makes a test of an async function that takes a [`Database`], once for each. Attributes before its name are those of the tests.
macro_rules! on_each_database {
    ($(#[$attribute:meta])* $check:ident) => {
        mod $check {
            use crate::harness::Database;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            $(#[$attribute])*
            async fn on_sqlite() {
                super::$check(Database::Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            $(#[$attribute])*
            async fn on_postgres() {
                super::$check(Database::Postgres).await;
            }
        }
    };
}
pub(crate) use on_each_database;
