//! Server in this process, with its own data folder and clock.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use leadscribe_engine::api::{NewApiKeyRequest, NewSpeechTokenRequest, Scope, TokenId};
use leadscribe_server::cli::bootstrap;
use leadscribe_server::clock::{Clock, MockClock};
use leadscribe_server::config::{Config, Role, Switch};
use leadscribe_server::http::dispatch::Dispatcher;
use leadscribe_server::http::listen;
use leadscribe_server::http::route_table::RouteTable;
use leadscribe_server::http::routes;
use leadscribe_server::recording::RecordingFiles;
use leadscribe_server::service::app::App;
use leadscribe_server::service::auth::credentials;
use leadscribe_server::service::speech::storage_quota::SubmissionStorage;
use leadscribe_server::speech::RecognizerProvider;
use leadscribe_server::storage::AuditContext;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::{Client, Database, measure_test};

/// Running server. When dropped, it stops and its data is removed.
pub struct Server {
    app: Arc<App>,
    clock: Arc<MockClock>,
    base_url: String,
    admin_key: String,
    stop_sender: Option<oneshot::Sender<()>>,
    server_task: tokio::task::JoinHandle<()>,
    index_task: tokio::task::JoinHandle<()>,
    data: Arc<TestData>,
}

/// Location of a server's data. Removed with the last server that uses it.
struct TestData {
    folder: TempDir,
    postgres: Option<leadscribe_test_postgres::Database>,
}

impl Server {
    /// Starts a server whose clock is set to a fixed time.
    pub async fn start() -> Self {
        Self::start_at("2026-05-01T09:30:00Z".parse().unwrap()).await
    }

    /// Like [`Server::start`], with an admin's client.
    pub async fn start_with_admin() -> (Self, Client) {
        let server = Self::start().await;
        let client = server.admin();
        (server, client)
    }

    /// Starts a server whose clock is set to `now`.
    pub async fn start_at(now: DateTime<Utc>) -> Self {
        Self::start_on(Database::from_env(), now).await
    }

    /// Starts a server with the options that `configure` sets.
    pub async fn start_configured(configure: impl FnOnce(&mut Config)) -> Self {
        Self::start_configured_on(Database::from_env(), configure).await
    }

    /// Starts a server with practically unlimited login attempts.
    pub async fn start_without_login_limits() -> Self {
        Self::start_configured(|config| {
            (config.login.account_attempts, config.login.address_attempts) = (100_000, 100_000);
        })
        .await
    }

    /// Starts a server with the options that `configure` sets, on this kind of database.
    pub async fn start_configured_on(database: Database, configure: impl FnOnce(&mut Config)) -> Self {
        let now = "2026-05-01T09:30:00Z".parse().unwrap();
        Self::start_with(TestData::create(database).await, Arc::new(MockClock::at(now)), configure).await
    }

    /// Starts a server on this kind of database, with its clock set to `now`.
    pub async fn start_on(database: Database, now: DateTime<Utc>) -> Self {
        Self::start_with(TestData::create(database).await, Arc::new(MockClock::at(now)), |_| ()).await
    }

    /// Starts another server on the same data and clock, with the options that `configure` sets.
    pub async fn start_sibling(&self, configure: impl FnOnce(&mut Config)) -> Self {
        Self::start_with(self.data.clone(), self.clock.clone(), configure).await
    }

    async fn start_with(data: Arc<TestData>, clock: Arc<MockClock>, configure: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::default();
        config.storage.data_dir = data.folder.path().to_owned();
        if let Some(postgres) = &data.postgres {
            config.storage.database_url = postgres.url().parse().unwrap();
            // Tests run in parallel, one per core, and share one PostgreSQL server.
            config.storage.database_connections = 4;
        }
        configure(&mut config);
        std::fs::create_dir_all(config.recordings_dir()).unwrap();
        let store = bootstrap::open_store(&config).await.unwrap();
        let recordings = RecordingFiles::open(&config).await.unwrap();
        let recognizer = match config.worker.role {
            Role::Api => RecognizerProvider::other_process(),
            Role::All | Role::Worker => RecognizerProvider::off(),
        };
        let app = Arc::new(App::new(store, recordings, recognizer, clock.clone(), Arc::new(config)));
        let index_app = app.clone();
        let index_task = tokio::spawn(async move {
            if index_app.config.leads.index == Switch::On {
                index_app.store.maintain_lead_index().await;
            }
        });
        let (stop_sender, stop_receiver) = oneshot::channel();
        let (base_url, server_task) = start_server(app.clone(), stop_receiver).await;
        let admin_key = create_api_key(&app, &[Scope::Admin]).await;
        Self { app, clock, base_url, admin_key, stop_sender: Some(stop_sender), server_task, index_task, data }
    }

    /// Returns the API key of [`Server::admin`].
    pub fn admin_key(&self) -> &str {
        &self.admin_key
    }

    /// Returns the base URL: `http://127.0.0.1:4711`.
    pub fn base(&self) -> &str {
        &self.base_url
    }

    /// Uses up a token's storage quota, as a million keyed submissions of unknown calls would.
    pub fn use_up_storage_quota(&self, token_id: i64) {
        let storage = SubmissionStorage { has_key: true, template: "" };
        let reservation = self.app().storage_quota.reserve_submission(TokenId(token_id), storage, 1_000_000);
        reservation.expect("quota is left").keep_submission(storage, 1_000_000, 0);
    }

    /// Returns the application behind the server.
    pub(super) fn app(&self) -> &App {
        &self.app
    }

    /// Returns the origin for changes that a test makes directly in the store.
    pub(super) fn origin(&self) -> AuditContext {
        origin(&self.app)
    }

    /// Returns a client without credentials.
    pub fn anonymous(&self) -> Client {
        Client::anonymous(&self.base_url)
    }

    /// Returns a client with the `admin` scope.
    pub fn admin(&self) -> Client {
        self.anonymous().with_key(&self.admin_key)
    }

    /// Returns a client with a new API key of these scopes.
    pub async fn client_with_scopes(&self, scopes: &[&str]) -> Client {
        let scopes: Vec<_> = scopes.iter().map(|scope| Scope::from_name(scope).unwrap()).collect();
        self.anonymous().with_key(&create_api_key(&self.app, &scopes).await)
    }

    /// Creates a speech token and returns its secret.
    pub async fn create_speech_token(&self, name: &str) -> String {
        let request = NewSpeechTokenRequest { name: name.to_owned() };
        credentials::create_speech_token(&self.app, request, &origin(&self.app)).await.unwrap().secret
    }

    /// Returns the time of the server's clock.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Advances the server's clock.
    pub fn advance(&self, delta: TimeDelta) {
        self.clock.advance(delta);
    }

    /// Sets the server's clock, forward or back.
    pub fn set_clock(&self, time: DateTime<Utc>) {
        self.clock.advance(time - self.clock.now());
    }

    /// Stops the server as SIGTERM does, and waits until it has stopped.
    pub async fn stop(mut self) {
        self.stop_sender.take().unwrap().send(()).unwrap();
        (&mut self.server_task).await.unwrap();
    }

    /// Loads the sample data.
    pub async fn load_demo(&self) {
        leadscribe_server::demo::load(&self.app).await.unwrap();
    }
}

impl TestData {
    async fn create(database: Database) -> Arc<Self> {
        measure_test();
        Arc::new(Self { folder: tempfile::tempdir().unwrap(), postgres: database.create().await })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.server_task.abort();
        self.index_task.abort();
    }
}

async fn create_api_key(app: &App, scopes: &[Scope]) -> String {
    let request = NewApiKeyRequest { name: "test".to_owned(), scopes: scopes.to_vec(), expires_at: None };
    credentials::create_api_key(app, request, &origin(app)).await.unwrap().secret
}

fn origin(app: &App) -> AuditContext {
    AuditContext::new("test", app.now())
}

/// Serves on a free local port. Returns the base URL and the task.
async fn start_server(app: Arc<App>, stop_receiver: oneshot::Receiver<()>) -> (String, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let dispatcher = Arc::new(Dispatcher::new(app, RouteTable::new(routes::all())));
    // A dropped sender must not stop the server gracefully: dropping the server aborts it.
    let stop_receiver = async move {
        if stop_receiver.await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    (base_url, tokio::spawn(listen::serve(listener, None, dispatcher, stop_receiver)))
}
