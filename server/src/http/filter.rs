//! The one warp filter: it takes a request apart, hands it to the dispatcher, and turns what warp itself rejects into a
//! problem document.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Buf;
use futures::{StreamExt, TryStreamExt};
use http::{HeaderMap, Method, header};
use tokio_util::sync::CancellationToken;
use warp::filters::path::FullPath;
use warp::{Filter, Rejection};

use super::body::{Body, Pace};
use super::dispatch::{Dispatcher, Incoming};
use super::problem::Refusal;
use super::reply::Response;
use crate::config::HttpConfig;

/// The client at the other end of the connection, put into the request by [`super::listen`].
#[derive(Clone, Debug)]
pub struct Peer {
    /// Its address.
    pub address: SocketAddr,
    /// Breaks the connection off.
    pub cut: CancellationToken,
}

/// All requests, of any method and path.
pub fn all(dispatcher: Arc<Dispatcher>) -> impl Filter<Extract = (Response,), Error = Infallible> + Clone {
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(warp::ext::optional::<Peer>())
        .and(warp::body::stream())
        .then(move |method: Method, path: FullPath, query, headers: HeaderMap, peer: Option<Peer>, chunks| {
            let dispatcher = dispatcher.clone();
            let config = &dispatcher.app().config.http;
            let address = client(config, &headers, peer.as_ref());
            let cut = peer.map(|peer| peer.cut).unwrap_or_default();
            let declared = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
            let body = Body::new(bytes_of(chunks), declared, pace(config));
            let incoming = Incoming { method, path: path.as_str().to_owned(), query, headers, address, body, cut };
            async move { dispatcher.respond(incoming).await }
        })
        .recover(rejected)
        .unify()
}

/// What warp rejects before the dispatcher sees it. Nothing it can reject today depends on the request, so this is a
/// fault of the server.
async fn rejected(rejection: Rejection) -> Result<Response, Infallible> {
    tracing::error!(?rejection, "warp rejected a request");
    Ok(Refusal::internal("warp rejected a request").into_response("none"))
}

fn bytes_of<B: Buf>(
    chunks: impl futures::Stream<Item = Result<B, warp::Error>>,
) -> impl futures::Stream<Item = Result<bytes::Bytes, warp::Error>> {
    chunks.map_ok(|mut chunk| chunk.copy_to_bytes(chunk.remaining())).fuse()
}

fn pace(config: &HttpConfig) -> Pace {
    Pace { patience: Duration::from_secs(config.body_seconds), bytes: config.upload_bytes }
}

/// The client's address: the other end of the connection, or what a trusted proxy says it is.
fn client(config: &HttpConfig, headers: &HeaderMap, peer: Option<&Peer>) -> Option<IpAddr> {
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    // The last entry is the proxy's own word; those before it came from the client.
    let forwarded = forwarded.and_then(|list| list.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    forwarded.filter(|_| config.trust_forwarded_for).or_else(|| peer.map(|peer| peer.address.ip()))
}
