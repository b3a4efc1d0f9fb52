//! Deliveries to endpoints of others: the address guard, the client with its deadlines, and the signature.
//!
//! Who receives a callback is said by those who hold a token, and not by the operator. So no delivery reaches an address
//! that isn't public unless the operator has allowed its network: [`target`] judges what is written in a URL when it is
//! given, and [`client`] judges it again, with every address that a name resolves to, at every attempt. Redirects and
//! proxies are not followed.

pub mod client;
pub mod guard;
mod resolve;
pub mod sign;
pub mod target;
#[cfg(test)]
mod tests;

pub use client::{Client, Outcome, Request, Verdict};
pub use target::CallbackUrl;
