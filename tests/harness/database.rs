//! Databases that the test server can use.

/// Environment variable that runs every API test on another database: `postgres`.
const DATABASE_VARIABLE: &str = "LEADSCRIBE_TEST_DATABASE";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// SQLite in the data folder.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

impl Database {
    /// Returns the default for tests: SQLite, or the database that the environment variable names.
    pub fn from_env() -> Self {
        match std::env::var(DATABASE_VARIABLE).as_deref() {
            Err(_) | Ok("" | "sqlite") => Self::Sqlite,
            Ok("postgres") => Self::Postgres,
            Ok(other) => panic!("{DATABASE_VARIABLE}: expected sqlite or postgres, found {other}"),
        }
    }

    /// Creates an empty PostgreSQL database if this kind needs one.
    pub async fn create(self) -> Option<leadscribe_test_postgres::Database> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(create_postgres_database().await),
        }
    }
}

/// Creates an empty PostgreSQL database on the server that all tests share.
pub async fn create_postgres_database() -> leadscribe_test_postgres::Database {
    tokio::task::spawn_blocking(|| leadscribe_test_postgres::Database::create().unwrap()).await.unwrap()
}

/// Generates one test per [`Database`] from an async function that takes one. Attributes before the function's name are
/// added to both tests.
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
