//! HTTP/1.1 client of the load generator: complete requests, kept-alive connections, and minimal parsing of responses.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use httparse::{EMPTY_HEADER, Status};

/// Timeout for a response. The slowest peer needs seconds for some shapes at 10,000,000 leads.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);

/// Larger than most responses, so that one is read with few calls.
const BUFFER_BYTES: usize = 256 * 1024;

/// Returns a request as bytes; `headers` are complete lines.
pub fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n{headers}");
    let content = if body.is_empty() {
        String::new()
    } else {
        format!("Content-Type: application/json\r\nContent-Length: {length}\r\n")
    };
    format!("{head}{content}\r\n{body}").into_bytes()
}

/// Kept-alive connection.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    filled: usize,
}

/// Response in the buffer of its connection.
struct ParsedResponse {
    status: u16,
    body: Body,
    /// Offset of the next response.
    end: usize,
}

enum Body {
    Whole(Range<usize>),
    Chunked(Vec<Range<usize>>),
}

impl Connection {
    /// Opens a connection.
    pub fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).with_context(|| format!("can't connect to {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(RESPONSE_TIMEOUT))?;
        Ok(Self { stream, buffer: vec![0; BUFFER_BYTES], filled: 0 })
    }

    /// Sends a request and waits for the response. Returns the length of the body.
    pub fn send(&mut self, request: &[u8]) -> Result<usize> {
        Ok(match self.exchange(request)?.body {
            Body::Whole(range) => range.len(),
            Body::Chunked(ranges) => ranges.iter().map(Range::len).sum(),
        })
    }

    /// Sends a request and returns the body of the response.
    pub fn send_for_body(&mut self, request: &[u8]) -> Result<Vec<u8>> {
        Ok(match self.exchange(request)?.body {
            Body::Whole(range) => self.buffer[range].to_vec(),
            Body::Chunked(ranges) => ranges.into_iter().flat_map(|range| self.buffer[range].to_vec()).collect(),
        })
    }

    fn exchange(&mut self, request: &[u8]) -> Result<ParsedResponse> {
        self.filled = 0;
        self.stream.write_all(request)?;
        let response = loop {
            if self.filled == self.buffer.len() {
                self.buffer.resize(self.filled * 2, 0);
            }
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(0) => bail!("the connection was closed during a response"),
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error).context("no response"),
            }
            if let Some(response) = self.parse_response()? {
                break response;
            }
        };
        ensure!(response.end == self.filled, "{} bytes follow the response", self.filled - response.end);
        if !(200..300).contains(&response.status) {
            let excerpt = String::from_utf8_lossy(&self.buffer[..self.filled.min(2_000)]);
            bail!("the request failed with status {}: {excerpt}", response.status);
        }
        Ok(response)
    }

    /// Returns the response if it is complete.
    fn parse_response(&self) -> Result<Option<ParsedResponse>> {
        let bytes = &self.buffer[..self.filled];
        let mut headers = [EMPTY_HEADER; 64];
        let mut head = httparse::Response::new(&mut headers);
        let Status::Complete(body_start) = head.parse(bytes)? else { return Ok(None) };
        let status = head.code.context("the response has no status")?;
        let value = |name: &str| {
            let header = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
            header.map(|header| String::from_utf8_lossy(header.value))
        };
        if let Some(length) = value("content-length") {
            let end = body_start + length.trim().parse::<usize>()?;
            return Ok((end <= bytes.len()).then_some(ParsedResponse {
                status,
                body: Body::Whole(body_start..end),
                end,
            }));
        }
        ensure!(
            value("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")),
            "the response has no length"
        );
        Ok(chunks(bytes, body_start)?.map(|(ranges, end)| ParsedResponse { status, body: Body::Chunked(ranges), end }))
    }
}

/// Returns the chunks of a body that begins at `offset`, and its end, if it is complete.
fn chunks(bytes: &[u8], mut offset: usize) -> Result<Option<(Vec<Range<usize>>, usize)>> {
    let mut ranges = Vec::new();
    while let Some(remaining) = bytes.get(offset..) {
        let size = httparse::parse_chunk_size(remaining).ok().context("expected the size of a chunk")?;
        let Status::Complete((head, length)) = size else { return Ok(None) };
        let start = offset + head;
        let end = start + usize::try_from(length)?;
        // Each chunk ends with a line break.
        offset = end + 2;
        if length == 0 {
            return Ok((offset <= bytes.len()).then_some((ranges, offset)));
        }
        ranges.push(start..end);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunked_body_is_complete_with_its_last_line() {
        let body = b"4\r\nWiki\r\n6\r\npedia \r\n0\r\n\r\n";
        assert_eq!(chunks(body, 0).unwrap(), Some((vec![3..7, 12..18], body.len())));
        for length in 0..body.len() {
            assert_eq!(chunks(&body[..length], 0).unwrap(), None, "{length}");
        }
    }
}
