//! `leadscribe serve`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use futures::FutureExt;
use leadscribe_engine::api::{NewApiKeyRequest, NewSpeechTokenRequest, RecognizerState, Scope};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

use super::bootstrap;
use crate::config::{Flags, MetricsAddress, Role, ServerFlags, Switch};
use crate::demo;
use crate::doctor;
use crate::fd_limit;
use crate::http::dispatch::Dispatcher;
use crate::http::listen;
use crate::http::route_table::RouteTable;
use crate::http::routes;
use crate::http::tls::{CertificateFiles, Tls};
use crate::service::app::App;
use crate::service::auth::{credentials, staff};
use crate::service::imports::{lost_imports, undo};
use crate::service::operations::retention;
use crate::storage::Slice;
use crate::telemetry::metrics;
use crate::worker;
use crate::worker::runner::StopSignal;

/// Email address of the demo user. The password is random.
const DEMO_EMAIL: &str = "demo@leadscribe.example";

/// Maximum time until the credentials of a demo are printed.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(30);

/// Interval between checks whether startup is complete.
const STARTUP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Command-line arguments.
#[derive(Debug, clap::Args)]
pub struct Serve {
    /// Load sample data into an empty database, and print a login, an API key and a speech token
    #[arg(long)]
    demo: bool,
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    server: ServerFlags,
}

impl Serve {
    /// Runs the server, the worker or both until SIGINT or SIGTERM. Returns the time left for the shutdown.
    pub async fn run(self) -> anyhow::Result<Duration> {
        let mut app = bootstrap::open(&Flags { server: self.server, ..self.flags }).await?;
        doctor::warn_of_unknown_variables();
        app.recognizer = bootstrap::recognizer_provider(&app.config);
        let app = Arc::new(app);
        let deadline = match app.config.worker.role {
            Role::All | Role::Api => serve(app, self.demo).await?,
            Role::Worker => {
                ensure!(!self.demo, "--demo can't be combined with --role worker, which doesn't serve the panel");
                run_worker(app).await?
            }
        };
        tracing::info!("stopped");
        Ok(remaining_until(deadline))
    }
}

/// Serves the API and the panel; with the role `all`, also runs the worker. Returns the deadline for the shutdown.
async fn serve(app: Arc<App>, demo: bool) -> anyhow::Result<Instant> {
    metrics::init()?;
    raise_fd_limit(app.config.http.max_connections);
    doctor::warn_if_unencrypted(&app.config.http);
    let tls = open_tls(&app)?;
    // Before the sample data is loaded, so that an address in use is reported immediately.
    let listener = listen_on(app.config.http.listen).await?;
    let stop = stop_signal()?;
    let metrics_server = serve_metrics(&app, tls.clone(), &stop).await?;
    let address = listener.local_addr().context("can't determine the listening address")?;
    let credentials = if demo { Some(prepare_demo(&app, address).await?) } else { None };
    if !demo && app.store.users(Slice { count: 0, offset: 0 }).await?.total == 0 {
        eprintln!("There are no users yet. Add one with: leadscribe user add EMAIL --role admin");
    }
    let role = app.config.worker.role;
    tracing::info!(%address, tls = tls.is_some(), ?role, version = env!("CARGO_PKG_VERSION"), "serving");
    let deadline = shutdown_deadline(&app, &stop);
    let dispatcher = Dispatcher::new(app.clone(), RouteTable::new(routes::all()));
    let server_task = listen::serve(listener, tls.clone(), Arc::new(dispatcher), stop.clone());
    let worker_task = async {
        if role == Role::All {
            worker::run(app.clone(), stop.clone()).await;
        }
    };
    let print_credentials = async {
        if let Some(credentials) = credentials {
            wait_for_startup(&app).await;
            println!("{credentials}");
        }
    };
    tokio::select! {
        ((), (), (), ()) = futures::future::join4(server_task, worker_task, metrics_server, print_credentials) => {}
        () = lost_imports::watch(&app) => {}
        () = undo::watch(&app) => {}
        () = app.clock_watch.run(&app.outage) => {}
        () = app.forward_notifications() => {}
        () = maintain_lead_index_if_enabled(&app) => {}
        () = watch_certificate(tls.as_deref()) => {}
    }
    let deadline = deadline.await?;
    if !app.background.finish(remaining_until(deadline)).await {
        tracing::warn!(
            "import or undo interrupted by the shutdown; run the import again, an undo resumes automatically"
        );
    }
    Ok(deadline)
}

/// Loads the certificate, if TLS is on.
fn open_tls(app: &App) -> anyhow::Result<Option<Arc<Tls>>> {
    let tls = app.config.http.tls_files().map(|(certificate, key)| {
        let files = CertificateFiles { certificate: certificate.to_owned(), key: key.to_owned() };
        Tls::open(files, app.clock.clone()).map(Arc::new).context("can't enable TLS")
    });
    tls.transpose()
}

async fn listen_on(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("can't listen on {address}"))
}

/// Starts listening on the metrics address, if there is one. The returned future serves it until `stop` completes.
async fn serve_metrics(
    app: &Arc<App>,
    tls: Option<Arc<Tls>>,
    stop: &StopSignal,
) -> anyhow::Result<impl Future<Output = ()> + use<>> {
    let listener = match app.config.http.metrics_listen {
        MetricsAddress(Some(address)) => Some(listen_on(address).await?),
        MetricsAddress(None) => None,
    };
    let dispatcher = Dispatcher::new(app.clone(), RouteTable::new(routes::monitoring_routes())).for_metrics_listener();
    let stop = stop.clone();
    Ok(async move {
        if let Some(listener) = listener {
            listen::serve(listener, tls, Arc::new(dispatcher), stop).await;
        }
    })
}

/// Raises the limit of open files for this many connections, as far as the system permits.
fn raise_fd_limit(connections: usize) {
    let required = fd_limit::required_fds(connections);
    if let Err(error) = fd_limit::raise_to(required) {
        tracing::warn!(%error, required, "can't raise the limit of open files");
    }
    if let Some(hard_limit) = fd_limit::hard_limit().filter(|limit| *limit < required) {
        tracing::warn!(hard_limit, required, "limit of open files is too low for --max-connections");
    }
}

/// Keeps the lead index up to date, if it is enabled. Never returns.
async fn maintain_lead_index_if_enabled(app: &App) {
    match app.config.leads.index {
        Switch::On => app.store.maintain_lead_index().await,
        Switch::Off => std::future::pending().await,
    }
}

/// Reloads the certificate when it changes, if there is one. Never returns.
async fn watch_certificate(tls: Option<&Tls>) {
    match tls {
        Some(tls) => tls.watch().await,
        None => std::future::pending().await,
    }
}

/// Runs the worker for servers and other workers on the same data. Returns the deadline for the shutdown.
async fn run_worker(app: Arc<App>) -> anyhow::Result<Instant> {
    metrics::init()?;
    let tls = open_tls(&app)?;
    let stop = stop_signal()?;
    let metrics_server = serve_metrics(&app, tls.clone(), &stop).await?;
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "working");
    let deadline = shutdown_deadline(&app, &stop);
    tokio::select! {
        ((), ()) = futures::future::join(worker::run(app.clone(), stop), metrics_server) => {}
        () = app.clock_watch.run(&app.outage) => {}
        () = app.forward_notifications() => {}
        () = watch_certificate(tls.as_deref()) => {}
    }
    Ok(deadline.await?)
}

/// Waits for `stop` and returns the deadline for the shutdown.
fn shutdown_deadline(app: &App, stop: &StopSignal) -> JoinHandle<Instant> {
    let stop_timeout = Duration::from_secs(app.config.http.shutdown_timeout_seconds);
    tokio::spawn(stop.clone().map(move |()| Instant::now() + stop_timeout))
}

fn remaining_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Completes at the first SIGINT or SIGTERM.
fn stop_signal() -> anyhow::Result<StopSignal> {
    let mut interrupt = signal(SignalKind::interrupt()).context("can't wait for SIGINT")?;
    let mut terminate = signal(SignalKind::terminate()).context("can't wait for SIGTERM")?;
    let stop = async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    Ok(stop.boxed().shared())
}

/// Waits until the lead index is built and the recognizer is loaded, so that no startup log lines follow, for at most
/// [`STARTUP_TIMEOUT`].
async fn wait_for_startup(app: &App) {
    let is_done = async || {
        let has_index = app.config.leads.index == Switch::Off || app.store.lead_index_stats().await.is_some();
        has_index && app.recognizer.status().0 != RecognizerState::Loading
    };
    let wait = async {
        while !is_done().await {
            tokio::time::sleep(STARTUP_POLL_INTERVAL).await;
        }
    };
    let _ = tokio::time::timeout(STARTUP_TIMEOUT, wait).await;
}

/// Loads the sample data and returns the address and credentials as text.
async fn prepare_demo(app: &App, address: SocketAddr) -> anyhow::Result<String> {
    let (target, alternative) = match app.config.storage.database_url.reveal() {
        None => (app.config.storage.data_dir.display().to_string(), "folder with --data-dir"),
        Some(_) => ("the PostgreSQL database".to_owned(), "database with --database-url"),
    };
    ensure!(
        app.store.is_empty().await?,
        "--demo needs an empty database, but {target} already contains data; remove --demo to serve that data, or \
         choose another {alternative}"
    );
    ensure!(
        retention::owns_recordings(app).await?,
        "--demo stores sample recordings, but {} contains those of another installation; choose another location",
        match app.config.recordings.url.as_str() {
            "none" => app.config.recordings_dir().display().to_string(),
            bucket => bucket.to_owned(),
        }
    );
    demo::load(app).await.context("can't load the sample data")?;
    let audit = bootstrap::audit_context();
    let password = staff::create_admin_with_random_password(app, DEMO_EMAIL, &audit).await?;
    let scopes = Scope::ALL.to_vec();
    let key = NewApiKeyRequest { name: "demo".to_owned(), scopes, expires_at: None };
    let key = credentials::create_api_key(app, key, &audit).await?.secret;
    let token = NewSpeechTokenRequest { name: "demo".to_owned() };
    let token = credentials::create_speech_token(app, token, &audit).await?.secret;
    let scheme = if app.config.http.tls_files().is_some() { "https" } else { "http" };
    Ok(format!(
        "\n\
         Leadscribe with sample data\n  \
           panel         {scheme}://{address}/\n  \
           email         {DEMO_EMAIL}\n  \
           password      {password}\n  \
           API key       {key}\n  \
           speech token  {token}\n"
    ))
}
