//! TLS without a reverse proxy. Certificate and key come from two files, which are reloaded when they change.
//!
//! TLS 1.2 and 1.3 through rustls, with HTTP/1.1. Handshakes have the same timeout as request heads.

mod certificate;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::net::TcpStream;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

pub use self::certificate::{CertificateError, CertificateFiles, validity};
use self::certificate::{CertificatePair, FileContents};
use crate::clock::Clock;
use crate::telemetry::metrics;

/// Interval between checks for changed files. A change is applied after two checks with the same result, because a renewal writes one file
/// after the other.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// First byte of a TLS handshake. No HTTP request begins with it.
const HANDSHAKE_RECORD_TYPE: u8 = 0x16;

/// TLS acceptor with certificate reload.
pub struct Tls {
    files: CertificateFiles,
    provider: Arc<CryptoProvider>,
    resolver: Arc<CertificateResolver>,
    /// Contents of the files when the current certificate was loaded.
    loaded: FileContents,
    acceptor: TlsAcceptor,
    clock: Arc<dyn Clock>,
}

/// An accepted connection on a TLS port.
#[derive(Debug)]
pub enum AcceptedStream {
    /// A successful handshake.
    Tls(Box<TlsStream<TcpStream>>),
    /// Anything else, most likely a plain HTTP request.
    Plain(TcpStream),
}

impl Tls {
    /// Loads certificate and key. A certificate that is expired or not yet valid is used, with a warning.
    ///
    /// # Errors
    /// The files can't be used.
    pub fn open(files: CertificateFiles, clock: Arc<dyn Clock>) -> Result<Self, CertificateError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let loaded = files.read()?;
        let pair = files.parse(&loaded, &provider)?;
        report_validity(&pair, &*clock);
        let resolver = Arc::new(CertificateResolver(RwLock::new(Arc::new(pair.certified_key))));
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .expect("the provider knows the versions of TLS that are safe")
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&resolver) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { files, provider, resolver, loaded, acceptor: TlsAcceptor::from(Arc::new(config)), clock })
    }

    /// Performs the handshake. Callers must set a timeout, because a client may never finish it.
    ///
    /// # Errors
    /// The client disconnected, or no common version or cipher was found.
    pub async fn accept(&self, stream: TcpStream) -> std::io::Result<AcceptedStream> {
        let mut first_byte = [0];
        let count = stream.peek(&mut first_byte).await?;
        if count > 0 && first_byte[0] != HANDSHAKE_RECORD_TYPE {
            return Ok(AcceptedStream::Plain(stream));
        }
        Ok(AcceptedStream::Tls(Box::new(self.acceptor.accept(stream).await?)))
    }

    /// Reloads the certificate soon after the files change. Keeps the current one while they can't be used. Never returns.
    pub async fn watch(&self) {
        let mut applied = Ok(self.loaded.clone());
        let mut previous = applied.clone();
        loop {
            sleep(POLL_INTERVAL).await;
            let files = self.files.clone();
            let Ok(contents) = tokio::task::spawn_blocking(move || files.read()).await else { continue };
            if contents != applied && contents == previous {
                self.reload(&contents);
                applied.clone_from(&contents);
            }
            previous = contents;
        }
    }

    fn reload(&self, contents: &Result<FileContents, CertificateError>) {
        match contents
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|file_contents| self.files.parse(file_contents, &self.provider))
        {
            Ok(pair) => {
                tracing::info!(not_after = %pair.not_after, "certificate reloaded");
                report_validity(&pair, &*self.clock);
                self.resolver.replace(pair.certified_key);
            }
            Err(error) => {
                tracing::warn!(%error, "can't load the changed certificate; still using the previous one")
            }
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

/// Certificate presented to clients.
#[derive(Debug)]
struct CertificateResolver(RwLock<Arc<CertifiedKey>>);

impl CertificateResolver {
    fn replace(&self, certified_key: CertifiedKey) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(certified_key);
    }
}

impl ResolvesServerCert for CertificateResolver {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

fn report_validity(pair: &CertificatePair, clock: &dyn Clock) {
    let CertificatePair { not_before, not_after, .. } = pair;
    metrics::set_certificate_expiry(*not_after);
    let now = clock.now();
    if now > *not_after {
        tracing::warn!(%not_after, "certificate has expired; clients will reject it");
    } else if now < *not_before {
        tracing::warn!(%not_before, "certificate is not valid yet; clients will reject it");
    }
}
