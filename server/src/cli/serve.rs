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

use super::parts;
use crate::app::App;
use crate::config::{Flags, Role, ServerFlags, Switch, Watch};
use crate::demo;
use crate::doctor;
use crate::handles;
use crate::http::dispatch::Dispatcher;
use crate::http::listen;
use crate::http::routes;
use crate::http::table::Table;
use crate::http::tls::{Files, Tls};
use crate::service::imports::{lost, undo};
use crate::service::{credentials, retention, staff};
use crate::storage::Slice;
use crate::telemetry::metrics;
use crate::worker;
use crate::worker::runner::Stop;

/// E-mail address of the demo user. The password is random.
const DEMO_EMAIL: &str = "demo@leadscribe.example";

/// Maximum time until the credentials of a demo are printed.
const START_UP_TIMEOUT: Duration = Duration::from_secs(30);

/// Interval between checks whether the start-up is complete.
const START_UP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Command-line arguments.
#[derive(Debug, clap::Args)]
pub struct Serve {
    /// Load sample data into an empty database, and print a log-in, an API key and a speech recognition token
    #[arg(long)]
    demo: bool,
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    server: ServerFlags,
}

impl Serve {
    /// Runs the server, the worker or both until SIGINT or SIGTERM. Returns the time left for stopping.
    pub async fn run(self) -> anyhow::Result<Duration> {
        let mut app = parts::open(&Flags { server: self.server, ..self.flags }).await?;
        doctor::warn_of_unknown_variables();
        app.recognizer = parts::recognizer(&app.config);
        let app = Arc::new(app);
        let overdue = match app.config.worker.role {
            Role::All | Role::Api => serve(app, self.demo).await?,
            Role::Worker => {
                ensure!(!self.demo, "--demo can't be combined with --role worker, which doesn't serve the panel");
                work(app).await?
            }
        };
        tracing::info!("stopped");
        Ok(left_until(overdue))
    }
}

/// Serves the API and the panel; with the role `all`, also runs the worker. Returns the deadline for stopping.
async fn serve(app: Arc<App>, demo: bool) -> anyhow::Result<Instant> {
    metrics::init()?;
    take_handles(app.config.http.max_connections);
    doctor::warn_if_in_the_clear(&app.config.http);
    let tls = open_tls(&app)?;
    // Before the sample data is loaded, so that an address in use is reported immediately.
    let listener = listen_on(app.config.http.listen).await?;
    let stop = stop_signal()?;
    let watched = watched(&app, tls.clone(), &stop).await?;
    let address = listener.local_addr().context("can't determine the listening address")?;
    let credentials = if demo { Some(prepare_demo(&app, address).await?) } else { None };
    if !demo && app.store.users(Slice { count: 0, offset: 0 }).await?.total == 0 {
        eprintln!("There are no users yet. Add one with: leadscribe user add EMAIL --role admin");
    }
    let role = app.config.worker.role;
    tracing::info!(%address, tls = tls.is_some(), ?role, version = env!("CARGO_PKG_VERSION"), "serving");
    let overdue = overdue(&app, &stop);
    let dispatcher = Dispatcher::new(app.clone(), Table::new(routes::all()));
    let serving = listen::serve(listener, tls.clone(), Arc::new(dispatcher), stop.clone());
    let working = async {
        if role == Role::All {
            worker::run(app.clone(), stop.clone()).await;
        }
    };
    let showing = async {
        if let Some(credentials) = credentials {
            started_up(&app).await;
            println!("{credentials}");
        }
    };
    tokio::select! {
        ((), (), (), ()) = futures::future::join4(serving, working, watched, showing) => {}
        () = lost::watch(&app) => {}
        () = undo::watch(&app) => {}
        () = app.clock_watch.run(&app.outage) => {}
        () = app.listen() => {}
        () = keep_lead_index(&app) => {}
        () = renew(tls.as_deref()) => {}
    }
    let overdue = overdue.await?;
    if !app.background.finish(left_until(overdue)).await {
        tracing::warn!(
            "import or undo interrupted by the shutdown; run the import again, an undo resumes automatically"
        );
    }
    Ok(overdue)
}

/// Loads the certificate, if TLS is on.
fn open_tls(app: &App) -> anyhow::Result<Option<Arc<Tls>>> {
    let tls = app.config.http.tls_files().map(|(certificate, key)| {
        let files = Files { certificate: certificate.to_owned(), key: key.to_owned() };
        Tls::open(files, app.clock.clone()).map(Arc::new).context("can't enable TLS")
    });
    tls.transpose()
}

async fn listen_on(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("can't listen on {address}"))
}

/// Starts listening on the metrics address, if there is one. The returned future serves it until the stop.
async fn watched(
    app: &Arc<App>,
    tls: Option<Arc<Tls>>,
    stop: &Stop,
) -> anyhow::Result<impl Future<Output = ()> + use<>> {
    let listener = match app.config.http.metrics_listen {
        Watch(Some(address)) => Some(listen_on(address).await?),
        Watch(None) => None,
    };
    let dispatcher = Dispatcher::new(app.clone(), Table::new(routes::watched())).for_watching();
    let stop = stop.clone();
    Ok(async move {
        if let Some(listener) = listener {
            listen::serve(listener, tls, Arc::new(dispatcher), stop).await;
        }
    })
}

/// Raises the limit of open files for this many connections, as far as the system permits.
fn take_handles(connections: usize) {
    let wanted = handles::wanted(connections);
    if let Err(error) = handles::take(wanted) {
        tracing::warn!(%error, wanted, "can't raise the limit of open files");
    }
    if let Some(permitted) = handles::permitted().filter(|permitted| *permitted < wanted) {
        tracing::warn!(permitted, wanted, "limit of open files is too low for --max-connections");
    }
}

/// Keeps the lead index up to date, if it is enabled. Never returns.
async fn keep_lead_index(app: &App) {
    match app.config.leads.index {
        Switch::On => app.store.keep_lead_index().await,
        Switch::Off => std::future::pending().await,
    }
}

/// Reloads the certificate when it changes, if there is one. Never returns.
async fn renew(tls: Option<&Tls>) {
    match tls {
        Some(tls) => tls.watch().await,
        None => std::future::pending().await,
    }
}

/// Runs the worker for servers and other workers on the same data. Returns the deadline for stopping.
async fn work(app: Arc<App>) -> anyhow::Result<Instant> {
    metrics::init()?;
    let tls = open_tls(&app)?;
    let stop = stop_signal()?;
    let watched = watched(&app, tls.clone(), &stop).await?;
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "working");
    let overdue = overdue(&app, &stop);
    tokio::select! {
        ((), ()) = futures::future::join(worker::run(app.clone(), stop), watched) => {}
        () = app.clock_watch.run(&app.outage) => {}
        () = app.listen() => {}
        () = renew(tls.as_deref()) => {}
    }
    Ok(overdue.await?)
}

/// Completes at the stop and returns the deadline for stopping.
fn overdue(app: &App, stop: &Stop) -> JoinHandle<Instant> {
    let patience = Duration::from_secs(app.config.http.stop_seconds);
    tokio::spawn(stop.clone().map(move |()| Instant::now() + patience))
}

fn left_until(moment: Instant) -> Duration {
    moment.saturating_duration_since(Instant::now())
}

/// Completes at the first SIGINT or SIGTERM.
fn stop_signal() -> anyhow::Result<Stop> {
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

/// Completes when the lead index is built and the recogniser is loaded, so that no start-up log lines follow. Waits for at most
/// [`START_UP_TIMEOUT`].
async fn started_up(app: &App) {
    let is_done = async || {
        let has_index = app.config.leads.index == Switch::Off || app.store.lead_index().await.is_some();
        has_index && app.recognizer.status().0 != RecognizerState::Loading
    };
    let wait = async {
        while !is_done().await {
            tokio::time::sleep(START_UP_POLL_INTERVAL).await;
        }
    };
    let _ = tokio::time::timeout(START_UP_TIMEOUT, wait).await;
}

/// Loads the sample data and returns the address and credentials as text.
async fn prepare_demo(app: &App, address: SocketAddr) -> anyhow::Result<String> {
    let (found, other) = match app.config.storage.database_url.reveal() {
        None => (app.config.storage.data_dir.display().to_string(), "folder with --data-dir"),
        Some(_) => ("the PostgreSQL database".to_owned(), "database with --database-url"),
    };
    ensure!(
        app.store.is_empty().await?,
        "--demo needs an empty database, but {found} already contains data; remove --demo to serve that data, or \
         choose another {other}"
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
    let by = parts::origin();
    let password = staff::create_with_random_password(app, DEMO_EMAIL, &by).await?;
    let scopes = Scope::ALL.to_vec();
    let key = NewApiKeyRequest { name: "demo".to_owned(), scopes, expires_at: None };
    let key = credentials::create_api_key(app, key, &by).await?.secret;
    let token = NewSpeechTokenRequest { name: "demo".to_owned() };
    let token = credentials::create_speech_token(app, token, &by).await?.secret;
    let scheme = if app.config.http.tls_files().is_some() { "https" } else { "http" };
    Ok(format!(
        "\n\
         Leadscribe with sample data\n  \
           panel         {scheme}://{address}/\n  \
           e-mail        {DEMO_EMAIL}\n  \
           password      {password}\n  \
           API key       {key}\n  \
           speech token  {token}\n"
    ))
}
