//! Serves the panel, which is embedded in the binary.
//!
//! Files named by their content hash are cached permanently; the page is revalidated each time. Browsers get the page for every path
//! without a file extension, because the page has its own routes. Other clients get 404: a probe with a mistyped path must not mistake
//! the page for success.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::compression::{self, ContentCoding};
use super::dispatch::method_not_allowed;
use super::etag;
use super::problem::{Code, Problem};
use super::reply::{self, Response};

/// Output of `cargo xtask build` in `web/dist`. Larger files also exist compressed, as `<file>.br` and `<file>.gz`. Debug builds read the
/// files at request time.
#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct PanelFiles;

const INDEX_PAGE: &str = "index.html";

/// Folder of files whose names contain their content hash.
const HASHED_FOLDER: &str = "assets/";

/// One year, the maximum that RFC 2616 recommended and caches expect.
const IMMUTABLE_CACHE_CONTROL: &str = "public, max-age=31536000, immutable";

/// Serves a request outside the API.
///
/// # Errors
/// 404 for a file that the panel doesn't have, for a path other than `/` if the client doesn't accept HTML, and for the page if no panel
/// was built in; 405 for methods other than `GET` and `HEAD`.
pub fn serve(method: &Method, path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Err(method_not_allowed(method, "GET, HEAD"));
    }
    let name = path.trim_start_matches('/');
    let is_file = name.rsplit('/').next().is_some_and(|last_segment| last_segment.contains('.'));
    if !is_file && !name.is_empty() && !accepts_html(headers) {
        let detail = "there is no such page; the API is under /api, and pages are only sent to browsers (Accept: \
             text/html)";
        return Err(Problem::new(Code::NotFound, detail));
    }
    let name = if is_file { name } else { INDEX_PAGE };
    let Some(file) = PanelFiles::get(name) else {
        return Err(match name {
            INDEX_PAGE => {
                Problem::new(Code::NotFound, "this program was built without the panel; the API is under /api")
            }
            _ => Problem::not_found("file"),
        });
    };
    Ok(file_response(name, &file, headers))
}

fn file_response(name: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let (encoding, content) = select_encoding(name, file, headers);
    let etag = entity_tag(file, encoding);
    let mut response = if etag::is_not_modified(headers, &etag) {
        reply::with_status(StatusCode::NOT_MODIFIED, Response::default())
    } else {
        Response::new(content.into())
    };
    let cache_control = if name.starts_with(HASHED_FOLDER) { IMMUTABLE_CACHE_CONTROL } else { "no-cache" };
    let response_headers = response.headers_mut();
    response_headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    response_headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
    let vary = if name == INDEX_PAGE { "Accept, Accept-Encoding" } else { "Accept-Encoding" };
    response_headers.insert(header::VARY, HeaderValue::from_static(vary));
    etag::insert_etag(response_headers, Some(etag));
    if let Some(encoding) = encoding {
        response_headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Returns the file in the encoding that the client prefers, the smallest of several.
fn select_encoding(name: &str, file: &EmbeddedFile, headers: &HeaderMap) -> (Option<&'static str>, Bytes) {
    let coding = compression::negotiate(headers, &[ContentCoding::Brotli, ContentCoding::Gzip]);
    let extension = if coding == Some(ContentCoding::Brotli) { "br" } else { "gz" };
    match coding.and_then(|coding| Some((coding, PanelFiles::get(&format!("{name}.{extension}"))?))) {
        Some((coding, compressed)) => (Some(coding.name()), to_bytes(compressed.data)),
        None => (None, to_bytes(file.data.clone())),
    }
}

/// Embedded files are sent from the binary itself, so slow clients cost no memory.
fn to_bytes(content: Cow<'static, [u8]>) -> Bytes {
    match content {
        Cow::Borrowed(content) => Bytes::from_static(content),
        Cow::Owned(content) => content.into(),
    }
}

/// True if `Accept` names HTML, as browsers do for page loads.
fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split([',', ';']))
        .any(|media_type| media_type.trim().eq_ignore_ascii_case("text/html"))
}

fn entity_tag(file: &EmbeddedFile, encoding: Option<&str>) -> String {
    let hash: String = file.metadata.sha256_hash().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    etag::quote(format_args!("{hash}-{}", encoding.unwrap_or("identity")))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, Method};

    use super::serve;
    use crate::http::problem::Code;

    #[test]
    fn serves_pages_only_to_browsers() {
        let request = |path, accept| {
            let headers = HeaderMap::from_iter([("accept".parse().unwrap(), HeaderValue::from_static(accept))]);
            serve(&Method::GET, path, &headers).map_err(|problem| format!("{problem:?}"))
        };
        // In a build without the panel, the response is 404 with a detail that says so.
        let is_page =
            |result: Result<_, String>| result.map_or_else(|detail| detail.contains("without the panel"), |_| true);
        assert!(is_page(request("/leads/7", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")));
        assert!(is_page(request("/", "*/*")));
        for path in ["/healthz/", "/livez", "/metrics/x", "/leads"] {
            assert!(!is_page(request(path, "*/*")), "{path}");
        }
    }

    #[test]
    fn missing_files_and_other_methods_get_errors() {
        let problem_code = |method, path| serve(&method, path, &HeaderMap::new()).expect_err("refused").code();
        assert_eq!(problem_code(Method::GET, "/assets/none-00000000.js"), Code::NotFound);
        assert_eq!(problem_code(Method::GET, "/../Cargo.toml"), Code::NotFound);
        assert_eq!(problem_code(Method::POST, "/leads"), Code::MethodNotAllowed);
    }
}
