//! Databases for tests, on the server that `LEADSCRIBE_TEST_POSTGRES` names: the URL of a user who may make them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use url::Url;

use super::schema;
use super::target::Target;

/// A database of a test's own. It is dropped with this, whoever is connected to it.
pub(crate) struct Fresh {
    name: String,
    /// What it was copied from. That is dropped with the last copy.
    _template: Option<Arc<Fresh>>,
}

impl Fresh {
    /// One without anything in it.
    pub(crate) fn empty() -> Self {
        Self::with("")
    }

    /// One without anything in it, made with these options.
    pub(super) fn with(options: &str) -> Self {
        let name = new_name();
        run(server().as_str(), &format!("CREATE DATABASE {name} {options}")).unwrap();
        Self { name, _template: None }
    }

    /// One whose schema is up to date.
    pub(crate) fn create() -> Self {
        let (template, name) = (template(), new_name());
        // A fraction of the time that the migrations take.
        run(server().as_str(), &format!("CREATE DATABASE {name} TEMPLATE {}", template.name)).unwrap();
        Self { name, _template: Some(template) }
    }

    pub(crate) fn url(&self) -> String {
        url_of(&self.name)
    }

    /// A user without any right of their own, who reaches the database.
    pub(super) fn user(&self) -> User {
        let name = new_name();
        run(server().as_str(), &format!("CREATE ROLE {name} LOGIN PASSWORD '{name}'")).unwrap();
        let mut url = server();
        url.set_path(&self.name);
        url.set_username(&name).and_then(|()| url.set_password(Some(&name))).unwrap();
        User { url: url.into(), name, database: self.url() }
    }

    /// Runs statements on a connection of their own.
    pub(crate) fn run(&self, sql: &str) {
        run(&self.url(), sql).unwrap();
    }

    /// The only text that a query gives.
    pub(super) fn ask(&self, sql: &str) -> String {
        let target = Target::read(&self.url()).unwrap();
        on_thread(|| target.connect().unwrap().query_one(sql, &[]).unwrap().get(0))
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // When it can't be dropped the server is gone, or the test has failed for another reason.
        let _ = run(server().as_str(), &format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// A user of a database, who goes with what belongs to them.
pub(super) struct User {
    pub(super) name: String,
    pub(super) url: String,
    database: String,
}

impl Drop for User {
    fn drop(&mut self) {
        let name = &self.name;
        // As with databases.
        let _ = run(&self.database, &format!("DROP OWNED BY {name} CASCADE; DROP ROLE {name}"));
    }
}

fn template() -> Arc<Fresh> {
    static TEMPLATE: Mutex<Weak<Fresh>> = Mutex::new(Weak::new());
    let mut shared = TEMPLATE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(there) = shared.upgrade() {
        return there;
    }
    let made = Arc::new(Fresh::empty());
    let target = Target::read(&made.url()).unwrap();
    on_thread(|| schema::migrate(&target)).unwrap();
    *shared = Arc::downgrade(&made);
    made
}

/// A name that no database has.
fn new_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("leadscribe_test_{}_{count}_{:08x}", std::process::id(), rand::random::<u32>())
}

fn server() -> Url {
    let named = std::env::var("LEADSCRIBE_TEST_POSTGRES").unwrap_or_default();
    named.parse().expect("LEADSCRIBE_TEST_POSTGRES names no PostgreSQL server: run `cargo xtask test`")
}

/// The server's URL with another database.
pub(super) fn url_of(database: &str) -> String {
    let mut url = server();
    url.set_path(database);
    url.into()
}

fn run(url: &str, sql: &str) -> Result<(), postgres::Error> {
    let target = Target::read(url).unwrap();
    on_thread(|| target.connect()?.batch_execute(sql))
}

/// A connection drives itself, so not on a thread of the test's runtime.
pub(super) fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join()).unwrap()
}
