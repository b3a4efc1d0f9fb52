//! Accept loop with connection limits, timeouts and graceful shutdown.
//!
//! HTTP/1.1 only, with or without TLS. HTTP/2 is left to a reverse proxy.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::TryFutureExt;
use futures::future::{Either, ready};
use hyper::body::Incoming as IncomingBody;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tokio_util::either;
use tokio_util::sync::CancellationToken;
use tower_service::Service;

use super::dispatch::Dispatcher;
use super::filter::{self, Peer};
use super::problem::{Code, Problem};
use super::reply::Response;
use super::timeout_stream::TimeoutStream;
use super::tls::{AcceptedStream, Tls};
use super::validating_stream::ValidatingStream;
use crate::telemetry::metrics;

/// A connection with or without TLS.
type Stream = either::Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Delay after a failed accept. The usual cause is a lack of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Minimum buffer size that hyper accepts for a request head, in bytes.
const MIN_BUFFER_BYTES: usize = 8_192;

/// Maximum size of a request head, in bytes. Hyper limits a header name to this length, and one name may take up almost
/// the whole head.
const MAX_HEAD_BYTES: usize = u16::MAX as usize;

/// Serves connections until `stop`, then waits for running requests, up to the configured time. With `tls`, each connection begins with a
/// handshake.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
    dispatcher: Arc<Dispatcher>,
    stop: impl Future<Output = ()>,
) {
    let config = dispatcher.app().config.clone();
    let config = &config.http;
    let service = warp::service(filter::all_requests(dispatcher.clone()));
    let connection_permits = Arc::new(Semaphore::new(config.max_connections));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            // Acquire a permit first: clients beyond the limit wait in the system's backlog at no cost here.
            let permit = connection_permits.clone().acquire_owned().await.expect("the semaphore is never closed");
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "can't accept a connection");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                continue;
            }
        };
        let (watcher, tls) = (graceful.watcher(), tls.clone());
        let (service, dispatcher) = (service.clone(), dispatcher.clone());
        tokio::spawn(async move {
            let _open_connection = metrics::count_open_connection();
            if let Some((stream, problem)) = start_connection(stream, tls.as_deref(), &dispatcher).await {
                let peer = Peer { address: peer, disconnect_token: CancellationToken::new() };
                let disconnect_token = peer.disconnect_token.clone();
                let connection = watcher.watch(serve_connection(stream, problem, peer, service, dispatcher));
                match disconnect_token.run_until_cancelled(connection).await {
                    Some(Ok(())) => {}
                    Some(Err(error)) => tracing::debug!(%error, "connection closed unexpectedly"),
                    None => {
                        tracing::debug!("closed the connection of a slow client to free response memory")
                    }
                }
            }
            drop(permit);
        });
    }
    drop(listener);
    // Event streams don't end by themselves.
    dispatcher.app().changes.stop();
    let stop_timeout = Duration::from_secs(config.shutdown_timeout_seconds);
    tracing::info!(connections = graceful.count(), "stopping");
    if tokio::time::timeout(stop_timeout, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish before the shutdown deadline");
    }
}

/// Performs the TLS handshake, if TLS is on, within the timeout for a request head. Returns `None` if the handshake fails or times out. A
/// plain HTTP request on a TLS port gets an error response.
async fn start_connection(
    stream: TcpStream,
    tls: Option<&Tls>,
    dispatcher: &Dispatcher,
) -> Option<(Stream, Option<Problem>)> {
    // Without this, the last packet of a response waits for the client's acknowledgment.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "can't disable Nagle's algorithm");
    }
    let Some(tls) = tls else { return Some((Stream::Left(stream), None)) };
    let handshake_timeout = Duration::from_secs(dispatcher.app().config.http.header_timeout_seconds);
    match timeout(handshake_timeout, tls.accept(stream)).await {
        Ok(Ok(AcceptedStream::Tls(stream))) => Some((Stream::Right(stream), None)),
        Ok(Ok(AcceptedStream::Plain(stream))) => {
            let problem = Problem::new(Code::MalformedRequest, "this port requires TLS; use https://");
            Some((Stream::Left(stream), Some(problem)))
        }
        Ok(Err(error)) => {
            metrics::count_failed_handshake();
            tracing::debug!(%error, "TLS handshake failed");
            None
        }
        Err(_) => {
            metrics::count_failed_handshake();
            tracing::debug!("TLS handshake timed out");
            None
        }
    }
}

fn serve_connection<S>(
    stream: Stream,
    problem: Option<Problem>,
    peer: Peer,
    service: S,
    dispatcher: Arc<Dispatcher>,
) -> impl GracefulConnection<Error = hyper::Error> + use<S>
where
    S: Service<http::Request<IncomingBody>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let config = &dispatcher.app().config.http;
    let head_timeout = Duration::from_secs(config.header_timeout_seconds);
    let max_head_bytes = config.max_head_bytes.clamp(MIN_BUFFER_BYTES, MAX_HEAD_BYTES);
    let stream = TimeoutStream::new(stream, head_timeout, Duration::from_secs(config.idle_timeout_seconds));
    let phase = stream.phase();
    let stream = match problem {
        None => ValidatingStream::new(stream, max_head_bytes),
        Some(problem) => ValidatingStream::new(stream, max_head_bytes).with_problem(problem),
    };
    let head_problem = stream.head_problem();
    let service = service_fn(move |mut request: http::Request<IncomingBody>| {
        phase.begin_request();
        if let Some(problem) = head_problem.take_for(request.uri()) {
            return Either::Left(ready(Ok(phase
                .clone()
                .track_response(dispatcher.respond_to_invalid_head(request.method(), problem)))));
        }
        request.extensions_mut().insert(peer.clone());
        let phase = phase.clone();
        Either::Right(service.clone().call(request).map_ok(|response| phase.track_response(response)))
    });
    http1::Builder::new()
        .max_buf_size(max_head_bytes)
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(stream), service)
}
