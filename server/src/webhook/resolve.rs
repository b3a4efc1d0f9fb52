//! Names to addresses, for deliveries: all of them may be called, or none is.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::guard::{self, Transport};
use crate::config::Networks;

/// Looks a name up.
pub(super) trait Lookup: Debug + Send + Sync {
    /// The addresses of a name.
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// As this machine does.
#[derive(Debug)]
pub(super) struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Gives the addresses of a name to a client that connects to them at once, so that nothing can change in between.
///
/// One address that may not be called spoils the name: which of them a client picks is chance, and a name that mixes
/// public with other addresses is made for an attack.
#[derive(Debug)]
pub(super) struct GuardedResolver {
    pub(super) lookup: Arc<dyn Lookup>,
    pub(super) allowed: Arc<Networks>,
    pub(super) transport: Transport,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.lookup.lookup(name.as_str().to_owned());
        let (allowed, transport) = (Arc::clone(&self.allowed), self.transport);
        Box::pin(async move {
            let addresses = found.await?;
            for address in &addresses {
                guard::judge(*address, transport, &allowed)?;
            }
            // The client puts the port of the URL in place of 0.
            Ok(Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}
