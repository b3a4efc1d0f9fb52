//! TLS without a reverse proxy. Certificate and key come from two files, which are reloaded when they change.
//!
//! TLS 1.2 and 1.3 by rustls, with HTTP/1.1. The timeout of a handshake is that of a request head.

mod pair;
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

pub use self::pair::{Files, PairError, validity};
use self::pair::{Pair, Texts};
use crate::clock::Clock;
use crate::telemetry::metrics;

/// Interval between checks for changed files. A change is applied after two checks with the same result, because a renewal writes one file
/// after the other.
const LOOK: Duration = Duration::from_secs(2);

/// First byte of a TLS handshake. No HTTP request begins with it.
const HANDSHAKE: u8 = 0x16;

/// TLS acceptor with certificate reload.
pub struct Tls {
    files: Files,
    provider: Arc<CryptoProvider>,
    shown: Arc<Shown>,
    /// Contents of the files when the current certificate was loaded.
    read: Texts,
    acceptor: TlsAcceptor,
    clock: Arc<dyn Clock>,
}

/// First bytes of a connection on a TLS port.
#[derive(Debug)]
pub enum Beginning {
    /// A successful handshake.
    Secured(Box<TlsStream<TcpStream>>),
    /// Anything else, most likely a plain HTTP request.
    Plain(TcpStream),
}

impl Tls {
    /// Loads certificate and key. A certificate that is expired or not yet valid is used, with a warning.
    ///
    /// # Errors
    /// The files can't be used.
    pub fn open(files: Files, clock: Arc<dyn Clock>) -> Result<Self, PairError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let read = files.read()?;
        let pair = files.pair(&read, &provider)?;
        note_validity(&pair, &*clock);
        let shown = Arc::new(Shown(RwLock::new(Arc::new(pair.certified))));
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .expect("the provider knows the versions of TLS that are safe")
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&shown) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { files, provider, shown, read, acceptor: TlsAcceptor::from(Arc::new(config)), clock })
    }

    /// Performs the handshake. Callers must set a timeout, because a client may never finish it.
    ///
    /// # Errors
    /// The client disconnected, or no common version or cipher was found.
    pub async fn accept(&self, stream: TcpStream) -> std::io::Result<Beginning> {
        let mut first = [0];
        let count = stream.peek(&mut first).await?;
        if count > 0 && first[0] != HANDSHAKE {
            return Ok(Beginning::Plain(stream));
        }
        Ok(Beginning::Secured(Box::new(self.acceptor.accept(stream).await?)))
    }

    /// Reloads the certificate soon after the files change. Keeps the current one while they can't be used. Never returns.
    pub async fn watch(&self) {
        let mut judged = Ok(self.read.clone());
        let mut last = judged.clone();
        loop {
            sleep(LOOK).await;
            let files = self.files.clone();
            let Ok(found) = tokio::task::spawn_blocking(move || files.read()).await else { continue };
            if found != judged && found == last {
                self.judge(&found);
                judged.clone_from(&found);
            }
            last = found;
        }
    }

    fn judge(&self, found: &Result<Texts, PairError>) {
        match found.as_ref().map_err(Clone::clone).and_then(|texts| self.files.pair(texts, &self.provider)) {
            Ok(pair) => {
                tracing::info!(valid_until = %pair.ends, "certificate reloaded");
                note_validity(&pair, &*self.clock);
                self.shown.show(pair.certified);
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
struct Shown(RwLock<Arc<CertifiedKey>>);

impl Shown {
    fn show(&self, certified: CertifiedKey) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(certified);
    }
}

impl ResolvesServerCert for Shown {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

fn note_validity(pair: &Pair, clock: &dyn Clock) {
    let Pair { begins, ends, .. } = pair;
    metrics::certificate_expires(*ends);
    let now = clock.now();
    if now > *ends {
        tracing::warn!(%ends, "certificate has expired; clients will reject it");
    } else if now < *begins {
        tracing::warn!(%begins, "certificate is not valid yet; clients will reject it");
    }
}
