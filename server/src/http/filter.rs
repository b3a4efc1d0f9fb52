//! The only warp filter: extracts the parts of a request, passes them to the dispatcher, and turns rejections by warp into a problem
//! document.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Once};
use std::time::Duration;

use bytes::Buf;
use futures::{StreamExt, TryStreamExt};
use http::{HeaderMap, Method, header};
use tokio_util::sync::CancellationToken;
use warp::filters::path::FullPath;
use warp::{Filter, Rejection};

use super::body::{Body, MinBodyRate};
use super::dispatch::{Dispatcher, IncomingRequest};
use super::problem::Problem;
use super::reply::Response;
use crate::config::HttpConfig;

/// The client at the other end of the connection. [`super::listen`] adds it to each request.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Remote address.
    pub address: SocketAddr,
    /// Closes the connection when cancelled.
    pub disconnect_token: CancellationToken,
}

/// Matches requests with any method and path.
pub fn all_requests(dispatcher: Arc<Dispatcher>) -> impl Filter<Extract = (Response,), Error = Infallible> + Clone {
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
            let address = client_address(config, &headers, peer.as_ref());
            let disconnect_token = peer.map(|peer| peer.disconnect_token).unwrap_or_default();
            let content_length =
                headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
            let body = Body::new(to_bytes(chunks), content_length, min_body_rate(config));
            let incoming = IncomingRequest {
                method,
                path: path.as_str().to_owned(),
                query,
                headers,
                address,
                body,
                disconnect_token,
            };
            async move { dispatcher.respond(incoming).await }
        })
        .recover(handle_rejection)
        .unify()
}

/// Handles rejections by warp itself. No request can cause one today, so a rejection is a server error.
async fn handle_rejection(rejection: Rejection) -> Result<Response, Infallible> {
    tracing::error!(?rejection, "warp rejected a request");
    Ok(Problem::internal("warp rejected a request").into_response("none"))
}

fn to_bytes<B: Buf>(
    chunks: impl futures::Stream<Item = Result<B, warp::Error>>,
) -> impl futures::Stream<Item = Result<bytes::Bytes, warp::Error>> {
    chunks.map_ok(|mut chunk| chunk.copy_to_bytes(chunk.remaining())).fuse()
}

fn min_body_rate(config: &HttpConfig) -> MinBodyRate {
    MinBodyRate { timeout: Duration::from_secs(config.body_timeout_seconds), min_bytes: config.min_upload_bytes }
}

/// Returns the client's address: the other end of the connection, or the address that a trusted proxy reports.
fn client_address(config: &HttpConfig, headers: &HeaderMap, peer: Option<&Peer>) -> Option<IpAddr> {
    let forwarded = if config.trust_forwarded_for { forwarded_for(headers) } else { None };
    forwarded.or_else(|| peer.map(|peer| peer.address.ip()))
}

/// Returns the client's address as the proxy reports it.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    static WARN_ONCE: Once = Once::new();
    let header = headers.get_all("x-forwarded-for").iter().next_back()?;
    // The proxy added the last entry; the entries before it came from the client.
    let last_entry = header.as_bytes().rsplit(|byte| *byte == b',').next().unwrap_or_default();
    let last_entry = String::from_utf8_lossy(last_entry.trim_ascii());
    let address = parse_address(&last_entry);
    if address.is_none() {
        WARN_ONCE.call_once(|| {
            tracing::warn!(
                entry = ?last_entry,
                "last entry of X-Forwarded-For is not an IP address; all clients of this proxy count as one"
            );
        });
    }
    address
}

/// Parses an address with or without a port, as proxies write it. An IPv6 address with a port must be in
/// brackets; without a port, brackets are optional.
fn parse_address(entry: &str) -> Option<IpAddr> {
    let unbracketed = entry.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(entry);
    unbracketed.parse().ok().or_else(|| Some(entry.parse::<SocketAddr>().ok()?.ip()))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use http::{HeaderMap, HeaderValue};

    use super::{client_address, parse_address};
    use crate::config::Config;

    #[test]
    fn parses_addresses_with_and_without_port() {
        let parse = |entry| parse_address(entry).map(|address| address.to_string());
        for entry in ["203.0.113.7", "203.0.113.7:51234"] {
            assert_eq!(parse(entry).as_deref(), Some("203.0.113.7"), "{entry}");
        }
        for entry in ["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443"] {
            assert_eq!(parse(entry).as_deref(), Some("2001:db8::1"), "{entry}");
        }
        for entry in ["", "unknown", "[203.0.113.7", "203.0.113.7:", "203.0.113.7:x", "example.com:443"] {
            assert_eq!(parse(entry), None, "{entry}");
        }
    }

    #[test]
    fn uses_last_forwarded_address_of_trusted_proxy() {
        let mut headers = HeaderMap::new();
        for list in ["192.0.2.1", "198.51.100.2,  203.0.113.7:51234 "] {
            headers.append("x-forwarded-for", HeaderValue::from_static(list));
        }
        let mut config = Config::default().http;
        assert_eq!(client_address(&config, &headers, None), None);
        config.trust_forwarded_for = true;
        assert_eq!(client_address(&config, &headers, None), Some(IpAddr::from([203, 0, 113, 7])));
        headers.append("x-forwarded-for", HeaderValue::from_static("203.0.113.7, unknown"));
        assert_eq!(
            client_address(&config, &headers, None),
            None,
            "an invalid last entry is not replaced by an earlier one"
        );
    }
}
