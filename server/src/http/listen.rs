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

use super::deadline::Impatient;
use super::dispatch::Dispatcher;
use super::filter::{self, Peer};
use super::problem::{Code, Refusal};
use super::reply::Response;
use super::tls::{Beginning, Tls};
use super::wire::Wire;
use crate::telemetry::metrics;

/// A connection with or without TLS.
type Stream = either::Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Delay after a failed accept, most likely because no file descriptor was free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Minimum buffer size that hyper accepts for a request head, in bytes.
const LEAST_BUFFER: usize = 8_192;

/// Maximum head size that is safe with any content, in bytes: hyper limits the name of a header to this many.
const MOST_HEAD: usize = u16::MAX as usize;

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
    let service = warp::service(filter::all(dispatcher.clone()));
    let places = Arc::new(Semaphore::new(config.max_connections));
    let running = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            // Acquire a permit first: clients beyond the limit wait in the system's backlog at no cost here.
            let place = places.clone().acquire_owned().await.expect("the semaphore is never closed");
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "can't accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let (watcher, tls) = (running.watcher(), tls.clone());
        let (service, dispatcher) = (service.clone(), dispatcher.clone());
        tokio::spawn(async move {
            let _open = metrics::connection();
            if let Some((stream, refusal)) = begin(stream, tls.as_deref(), &dispatcher).await {
                let peer = Peer { address: peer, cut: CancellationToken::new() };
                let cut = peer.cut.clone();
                let connection = watcher.watch(connection(stream, refusal, peer, service, dispatcher));
                match cut.run_until_cancelled(connection).await {
                    Some(Ok(())) => {}
                    Some(Err(error)) => tracing::debug!(%error, "connection closed unexpectedly"),
                    None => {
                        tracing::debug!("closed the connection of a slow client to free response memory")
                    }
                }
            }
            drop(place);
        });
    }
    drop(listener);
    // Event streams don't end by themselves.
    dispatcher.app().changes.stop();
    let patience = Duration::from_secs(config.stop_seconds);
    tracing::info!(connections = running.count(), "stopping");
    if tokio::time::timeout(patience, running.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish before the shutdown deadline");
    }
}

/// Performs the TLS handshake, if TLS is on, within the timeout for a request head. Returns `None` if the handshake fails or times out. A
/// plain HTTP request on a TLS port is answered with an error.
async fn begin(stream: TcpStream, tls: Option<&Tls>, dispatcher: &Dispatcher) -> Option<(Stream, Option<Refusal>)> {
    // Without this, the last packet of a response waits for the client's acknowledgement.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "can't disable Nagle's algorithm");
    }
    let Some(tls) = tls else { return Some((Stream::Left(stream), None)) };
    let patience = Duration::from_secs(dispatcher.app().config.http.header_seconds);
    match timeout(patience, tls.accept(stream)).await {
        Ok(Ok(Beginning::Secured(stream))) => Some((Stream::Right(stream), None)),
        Ok(Ok(Beginning::Plain(stream))) => {
            let refusal =
                Refusal::new(Code::MalformedRequest, "expected TLS on this port; the URL must begin with https://");
            Some((Stream::Left(stream), Some(refusal)))
        }
        Ok(Err(error)) => {
            metrics::handshake_failed();
            tracing::debug!(%error, "TLS handshake failed");
            None
        }
        Err(_) => {
            metrics::handshake_failed();
            tracing::debug!("TLS handshake timed out");
            None
        }
    }
}

fn connection<S>(
    stream: Stream,
    refusal: Option<Refusal>,
    peer: Peer,
    service: S,
    dispatcher: Arc<Dispatcher>,
) -> impl GracefulConnection<Error = hyper::Error> + use<S>
where
    S: Service<http::Request<IncomingBody>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let config = &dispatcher.app().config.http;
    let head = Duration::from_secs(config.header_seconds);
    let max_head = config.max_head_bytes.clamp(LEAST_BUFFER, MOST_HEAD);
    let stream = Impatient::new(stream, head, Duration::from_secs(config.idle_seconds));
    let phase = stream.phase();
    let stream = match refusal {
        None => Wire::new(stream, max_head),
        Some(refusal) => Wire::new(stream, max_head).refusing(refusal),
    };
    let refused = stream.refused();
    let service = service_fn(move |mut request: http::Request<IncomingBody>| {
        phase.request_begins();
        if let Some(refusal) = refused.take(request.uri()) {
            return Either::Left(ready(Ok(phase.clone().answer(dispatcher.refuse(request.method(), refusal)))));
        }
        request.extensions_mut().insert(peer.clone());
        let phase = phase.clone();
        Either::Right(service.clone().call(request).map_ok(|answer| phase.answer(answer)))
    });
    http1::Builder::new()
        .max_buf_size(max_head)
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(stream), service)
}
