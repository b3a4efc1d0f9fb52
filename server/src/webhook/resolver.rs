//! Name resolution for deliveries. All addresses of a name must be permitted.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address_guard::{self, Transport};
use crate::config::Networks;

/// Resolves names.
pub(super) trait NameLookup: Debug + Send + Sync {
    /// Returns the addresses of a name.
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// Name resolution of this machine.
#[derive(Debug)]
pub(super) struct SystemLookup;

impl NameLookup for SystemLookup {
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let addresses = tokio::net::lookup_host((name, 0)).await?;
            Ok(addresses.map(|address| address.ip()).collect())
        })
    }
}

/// DNS resolver that checks the resolved addresses. The client connects directly to these addresses, so they can't change in
/// between.
///
/// A single forbidden address rejects the name: the client's choice of address is random, and a name that mixes public and
/// internal addresses indicates an attack.
#[derive(Debug)]
pub(super) struct GuardedResolver {
    pub(super) lookup: Arc<dyn NameLookup>,
    pub(super) allowed_networks: Arc<Networks>,
    pub(super) transport: Transport,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let addresses_future = self.lookup.lookup(name.as_str().to_owned());
        let (allowed_networks, transport) = (Arc::clone(&self.allowed_networks), self.transport);
        Box::pin(async move {
            let addresses = addresses_future.await?;
            for address in &addresses {
                address_guard::check_address(*address, transport, &allowed_networks)?;
            }
            // The client replaces port 0 with the port of the URL.
            Ok(Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}
