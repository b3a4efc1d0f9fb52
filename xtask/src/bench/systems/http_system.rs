//! Systems with an HTTP API, and a server with constant responses as their upper bound.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use anyhow::Result;

use super::response::ResponseLayout;
use super::{ParsedResponse, Shape, Stores, System};
use crate::bench::http::{self, Connection};
use crate::bench::load::{self, Sample};
use crate::bench::process::{self, Process};
use crate::bench::workload::{Dialect, Query};

/// Time limit for a peer to be ready. Directus inspects its whole schema first.
pub const START_TIMEOUT: Duration = Duration::from_secs(120);

/// Mean size of a response with 200 leads.
const CEILING_BODY_BYTES: &str = "165000";

pub type RequestBuilder = Box<dyn Fn(&Query) -> Vec<u8>>;

/// HTTP server under measurement.
pub struct HttpSystem {
    name: String,
    process: Option<Process>,
    address: SocketAddr,
    make_request: RequestBuilder,
    /// `None` if its responses aren't verified.
    layout: Option<ResponseLayout>,
}

impl HttpSystem {
    /// Wraps a server that is ready. `process` is used for its memory, and ends with this value.
    pub fn new(
        name: &str,
        process: Option<Process>,
        address: SocketAddr,
        layout: Option<ResponseLayout>,
        make_request: RequestBuilder,
    ) -> Self {
        Self { name: name.into(), process, address, make_request, layout }
    }

    fn requests(&self, shape: &Shape) -> Vec<Vec<u8>> {
        shape.queries.iter().map(&self.make_request).collect()
    }
}

impl System for HttpSystem {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_http(&self) -> bool {
        true
    }

    fn responses(&mut self, shape: &Shape) -> Result<Option<Vec<ParsedResponse>>> {
        let Some(layout) = self.layout else { return Ok(None) };
        let mut connection = Connection::open(self.address)?;
        let requests = self.requests(shape).into_iter();
        requests
            .map(|request| ParsedResponse::parse(&connection.send_for_body(&request)?, layout))
            .collect::<Result<_>>()
            .map(Some)
    }

    fn run(&mut self, shape: &Shape, clients: usize, duration: Duration) -> Result<Sample> {
        load::run(self.address, &self.requests(shape), clients, duration)
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.process.as_ref()?.resident_bytes()
    }
}

/// Returns a `PUT` request of a filter in one of the dialects, with further header lines.
pub fn search_request(dialect: Dialect, headers: String) -> RequestBuilder {
    Box::new(move |query| http::request("PUT", "/api/leads/extended-data", &headers, &query.body(dialect).to_string()))
}

pub fn accepts_connections(address: SocketAddr) -> bool {
    Connection::open(address).is_ok()
}

/// Systems that search nothing: a prepared response of typical length, and a bare `hello`.
pub fn http_ceiling(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let address = process::free_address()?;
    let mut command = process::command(stores.program("http_ceiling"));
    command.args([&address.port().to_string(), CEILING_BODY_BYTES]).stdin(Stdio::piped());
    let mut process = Process::start(&mut command, &stores.log_file("http_ceiling"))?;
    process.wait_until(START_TIMEOUT, || accepts_connections(address))?;
    let hello_request = Box::new(|_: &Query| http::request("GET", "/hello", "", ""));
    let static_request = search_request(Dialect::Peers, String::new());
    Ok(vec![
        Box::new(HttpSystem::new("null_165k", Some(process), address, None, static_request)),
        Box::new(HttpSystem::new("hello", None, address, None, hello_request)),
    ])
}
