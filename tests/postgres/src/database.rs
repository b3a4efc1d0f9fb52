//! Temporary database on the PostgreSQL server that the tests share.

use std::env;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow};
use rand::distr::{Alphanumeric, SampleString};
use url::Url;

use crate::client::{missing_server_message, sql};
use crate::{Cluster, Options, bin_dir};

/// Environment variable with the URL of a test server. Its user must be allowed to create databases.
pub const SERVER_URL_VARIABLE: &str = "LEADSCRIBE_TEST_POSTGRES";

/// Empty database. Dropped, with all its connections, when this value is dropped.
#[derive(Debug)]
pub struct Database {
    server: String,
    name: String,
    url: String,
}

impl Database {
    /// Creates a database on the server that [`SERVER_URL_VARIABLE`] names. Without it, this process starts a server at
    /// the first call and stops it at its end. Blocks.
    ///
    /// # Errors
    /// There is no server, or it rejects the request.
    pub fn create() -> Result<Self> {
        Self::create_on(&shared_server_url()?)
    }

    /// Creates a database on the server with the database at `url`. Blocks.
    ///
    /// # Errors
    /// The server can't be reached, or rejects the request.
    pub fn create_on(url: &str) -> Result<Self> {
        let suffix = Alphanumeric.sample_string(&mut rand::rng(), 16).to_lowercase();
        let name = format!("leadscribe_test_{suffix}");
        let mut database_url = Url::parse(url).context("invalid server URL")?;
        database_url.set_path(&name);
        sql(url, &format!("CREATE DATABASE {name}"))?;
        Ok(Self { server: url.to_owned(), name, url: database_url.into() })
    }

    /// Returns the database's URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the database's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Fails if the server is already gone; that is fine.
        let _ = sql(&self.server, &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}

fn shared_server_url() -> Result<String> {
    /// A failed start is cached too: a retry would take as long and fail again.
    static SHARED_CLUSTER: OnceLock<Result<Cluster, String>> = OnceLock::new();
    if let Some(url) = env::var(SERVER_URL_VARIABLE).ok().filter(|url| !url.is_empty()) {
        return Ok(url);
    }
    let start_cluster = || {
        let bin_dir = bin_dir().ok_or_else(missing_server_message)?;
        Cluster::start(&bin_dir, &Options::default()).map_err(|error| format!("{error:#}"))
    };
    SHARED_CLUSTER.get_or_init(start_cluster).as_ref().map(Cluster::url).map_err(|error| anyhow!("{error}"))
}
