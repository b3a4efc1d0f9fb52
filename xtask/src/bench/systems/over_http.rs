//! Systems that speak HTTP, and HTTP without work.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use anyhow::Result;

use super::given::Layout;
use super::{Given, Shape, Stores, System};
use crate::bench::http::{self, Connection};
use crate::bench::load::{self, Sample};
use crate::bench::process::{self, Process};
use crate::bench::workload::{Dialect, Query};

/// Time limit for a peer to be ready. Directus inspects its whole schema first.
pub const START_LIMIT: Duration = Duration::from_secs(120);

/// Mean size of a response with 200 leads.
const CEILING_BYTES: &str = "165000";

/// Creates the request of a query.
pub type MakeRequest = Box<dyn Fn(&Query) -> Vec<u8>>;

/// HTTP server under measurement.
pub struct OverHttp {
    name: String,
    process: Option<Process>,
    address: SocketAddr,
    request: MakeRequest,
    /// `None` if its responses aren't verified.
    layout: Option<Layout>,
}

impl OverHttp {
    /// Wraps a server that is ready. `process` is used for its memory, and ends with this value.
    pub fn new(
        name: &str,
        process: Option<Process>,
        address: SocketAddr,
        layout: Option<Layout>,
        request: MakeRequest,
    ) -> Self {
        Self { name: name.into(), process, address, request, layout }
    }

    fn requests(&self, shape: &Shape) -> Vec<Vec<u8>> {
        shape.queries.iter().map(&self.request).collect()
    }
}

impl System for OverHttp {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_http(&self) -> bool {
        true
    }

    fn answers(&mut self, shape: &Shape) -> Result<Option<Vec<Given>>> {
        let Some(layout) = self.layout else { return Ok(None) };
        let mut connection = Connection::open(self.address)?;
        let requests = self.requests(shape).into_iter();
        requests
            .map(|request| Given::parse(&connection.ask_for_body(&request)?, layout))
            .collect::<Result<_>>()
            .map(Some)
    }

    fn run(&mut self, shape: &Shape, clients: usize, length: Duration) -> Result<Sample> {
        load::run(self.address, &self.requests(shape), clients, length)
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.process.as_ref()?.resident_bytes()
    }
}

/// Returns a `PUT` request of a filter in one of the dialects, with further header lines.
pub fn look_up(dialect: Dialect, headers: String) -> MakeRequest {
    Box::new(move |query| http::request("PUT", "/api/leads/extended-data", &headers, &query.body(dialect).to_string()))
}

/// True if the address accepts connections.
pub fn listens(address: SocketAddr) -> bool {
    Connection::open(address).is_ok()
}

/// Two rows of the table: a prepared response of typical length, and a bare `hello`.
pub fn ceiling(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let address = process::free_address()?;
    let mut command = process::command(stores.program("http_ceiling"));
    command.args([&address.port().to_string(), CEILING_BYTES]).stdin(Stdio::piped());
    let mut process = Process::start(&mut command, &stores.log("http_ceiling"))?;
    process.wait_until(START_LIMIT, || listens(address))?;
    let hello = Box::new(|_: &Query| http::request("GET", "/hello", "", ""));
    let null = look_up(Dialect::Peers, String::new());
    Ok(vec![
        Box::new(OverHttp::new("null_165k", Some(process), address, None, null)),
        Box::new(OverHttp::new("hello", None, address, None, hello)),
    ])
}
