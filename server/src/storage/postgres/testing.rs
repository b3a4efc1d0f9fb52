//! Databases for tests, on the server in `LEADSCRIBE_TEST_POSTGRES`. The user in that URL must be able to create databases.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use url::Url;

use super::schema;
use super::target::Target;

/// Database of a single test. Dropped with this value, even if it is in use.
pub(crate) struct TestDatabase {
    name: String,
    /// Template that it was copied from. Dropped with the last copy.
    _template: Option<Arc<TestDatabase>>,
}

impl TestDatabase {
    /// Creates an empty database.
    pub(crate) fn empty() -> Self {
        Self::with_options("")
    }

    /// Creates an empty database with these options.
    pub(super) fn with_options(options: &str) -> Self {
        let name = random_name();
        run_sql(server_url().as_str(), &format!("CREATE DATABASE {name} {options}")).unwrap();
        Self { name, _template: None }
    }

    /// Creates a database with the current schema.
    pub(crate) fn with_schema() -> Self {
        let (template, name) = (template_database(), random_name());
        // Takes a fraction of the time of the migrations.
        run_sql(server_url().as_str(), &format!("CREATE DATABASE {name} TEMPLATE {}", template.name)).unwrap();
        Self { name, _template: Some(template) }
    }

    pub(crate) fn url(&self) -> String {
        database_url(&self.name)
    }

    /// Creates a user without privileges, able to connect to the database.
    pub(super) fn create_user(&self) -> TestUser {
        let name = random_name();
        run_sql(server_url().as_str(), &format!("CREATE ROLE {name} LOGIN PASSWORD '{name}'")).unwrap();
        let mut url = server_url();
        url.set_path(&self.name);
        url.set_username(&name).and_then(|()| url.set_password(Some(&name))).unwrap();
        TestUser { url: url.into(), name, database: self.url() }
    }

    /// Runs statements on a separate connection.
    pub(crate) fn run(&self, sql: &str) {
        run_sql(&self.url(), sql).unwrap();
    }

    /// Runs a query and returns its only text.
    pub(super) fn query_text(&self, sql: &str) -> String {
        let target = Target::parse_primary(&self.url()).unwrap();
        on_thread(|| target.connect().unwrap().query_one(sql, &[]).unwrap().get(0))
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // If it can't be dropped, the server is gone or the test has already failed.
        let _ = run_sql(server_url().as_str(), &format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// User of a database. Dropped with everything that belongs to it.
pub(super) struct TestUser {
    pub(super) name: String,
    pub(super) url: String,
    database: String,
}

impl Drop for TestUser {
    fn drop(&mut self) {
        let name = &self.name;
        // Errors are ignored as for databases.
        let _ = run_sql(&self.database, &format!("DROP OWNED BY {name} CASCADE; DROP ROLE {name}"));
    }
}

fn template_database() -> Arc<TestDatabase> {
    static TEMPLATE: Mutex<Weak<TestDatabase>> = Mutex::new(Weak::new());
    let mut shared = TEMPLATE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(existing) = shared.upgrade() {
        return existing;
    }
    let created = Arc::new(TestDatabase::empty());
    let target = Target::parse_primary(&created.url()).unwrap();
    on_thread(|| schema::migrate(&target)).unwrap();
    *shared = Arc::downgrade(&created);
    created
}

/// Unused database name.
fn random_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("leadscribe_test_{}_{count}_{:08x}", std::process::id(), rand::random::<u32>())
}

fn server_url() -> Url {
    let url = std::env::var("LEADSCRIBE_TEST_POSTGRES").unwrap_or_default();
    url.parse().expect("LEADSCRIBE_TEST_POSTGRES names no PostgreSQL server: run `cargo xtask test`")
}

/// URL of another database on the server.
pub(super) fn database_url(database: &str) -> String {
    let mut url = server_url();
    url.set_path(database);
    url.into()
}

fn run_sql(url: &str, sql: &str) -> Result<(), postgres::Error> {
    let target = Target::parse_primary(url).unwrap();
    on_thread(|| target.connect()?.batch_execute(sql))
}

/// Runs `work` on another thread, because connections drive their own runtime.
pub(super) fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join()).unwrap()
}
