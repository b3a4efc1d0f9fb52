//! Lead searches as raw bytes, so that the load generator uses little CPU.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

use crate::harness::{Installation, ServerProcess};

const LEAD_COUNT: u32 = 50_000;
/// Page of the default size, which is cheap.
pub const SHORT_PAGE: &str = "/api/leads?city=Berlin&limit=200;0";
/// Page of the maximum size, which is the most expensive.
pub const LONG_PAGE: &str = "/api/leads?city=Berlin&limit=1000;0";

/// Search request and the server's address.
#[derive(Clone)]
pub struct LeadSearch {
    address: String,
    key: String,
    request: String,
}

/// Result of a request.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub status: u16,
    pub elapsed: Duration,
    /// True if the response has a `Retry-After`.
    pub has_retry_after: bool,
}

pub struct SearchConnection {
    stream: BufReader<TcpStream>,
    request: String,
}

impl LeadSearch {
    /// Imports leads, starts a server with default options, and returns a search for short pages.
    pub async fn start(installation: &Installation) -> (ServerProcess, Self) {
        let rows = (1..=LEAD_COUNT).map(|number| {
            format!("L{number},Ada{number},Lovelace{number},ada{number}@example.com,Berlin,+4930{number:07}\n")
        });
        let rows: String = rows.collect();
        let leads = installation
            .write_file("leads.csv", &format!("original_identifier,first_name,last_name,email,city,phone\n{rows}"));
        installation.run_command(&["import", "leads", &leads]);
        let key = installation.create_api_key();
        let program = installation.start_all_roles().await;
        let address = program.address();
        let search = Self { address: address.to_owned(), key, request: String::new() }.with_page(SHORT_PAGE);
        (program, search)
    }

    /// Returns a search for another page.
    pub fn with_page(&self, page: &str) -> Self {
        let Self { address, key, .. } = self;
        let request = format!("GET {page} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\r\n");
        Self { request, ..self.clone() }
    }

    /// Returns a search without index support: six substrings, each in four fields of all leads. It takes about two
    /// milliseconds of CPU time.
    pub fn full_scan(&self) -> Self {
        let Self { address, key, .. } = self;
        let fields = ["first_name", "last_name", "email", "phone"];
        let conditions = fields
            .iter()
            .flat_map(|field| (1..=6).map(|digit| json!({ *field: { "contains": format!("{digit}{digit}") } })));
        let filter =
            json!({ "_or": conditions.collect::<Vec<_>>(), "_order": ["-last_name"], "limit": "10;0" }).to_string();
        let request = format!(
            "PUT /api/leads/extended-data HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{filter}",
            filter.len()
        );
        Self { request, ..self.clone() }
    }

    /// Repeats the request, and reads 32 bytes of the response every 5 s. Never returns.
    pub async fn read_slowly(self) {
        loop {
            let _result = self.read_one_slowly().await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    async fn read_one_slowly(&self) -> std::io::Result<()> {
        let socket = TcpSocket::new_v4()?;
        // Otherwise the kernel's buffers would take most of a response.
        socket.set_recv_buffer_size(4_096)?;
        let mut stream = socket.connect(self.address.parse().unwrap()).await?;
        stream.write_all(self.request.as_bytes()).await?;
        while stream.read(&mut [0; 32]).await? > 0 {
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        Ok(())
    }

    /// Opens a connection.
    pub async fn connect(&self) -> std::io::Result<SearchConnection> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        Ok(SearchConnection { stream: BufReader::with_capacity(65_536, stream), request: self.request.clone() })
    }
}

impl SearchConnection {
    /// Sends one request.
    ///
    /// # Errors
    /// The connection is closed.
    pub async fn send(&mut self) -> std::io::Result<Outcome> {
        let started = Instant::now();
        self.stream.write_all(self.request.as_bytes()).await?;
        let (mut status, mut length, mut has_retry_after) = (None, 0, false);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            match line.split_once(':') {
                None if line.is_empty() => break,
                None => status = line.split(' ').nth(1).and_then(|status| status.parse().ok()),
                Some(("content-length", value)) => length = value.trim().parse().unwrap(),
                Some((name, _)) => has_retry_after |= name == "retry-after",
            }
        }
        let mut body = (&mut self.stream).take(length);
        tokio::io::copy_buf(&mut body, &mut tokio::io::sink()).await?;
        Ok(Outcome { status: status.unwrap(), elapsed: started.elapsed(), has_retry_after })
    }
}

/// Returns the response time that the given fraction of the requests didn't exceed.
pub fn percentile(times: &mut [Duration], fraction: f64) -> Duration {
    assert!(!times.is_empty(), "no request was answered");
    times.sort_unstable();
    times[((times.len() - 1) as f64 * fraction) as usize]
}
