//! Deliveries to external endpoints: address guard, HTTP client with deadlines, and signatures.
//!
//! Holders of tokens choose the endpoints, not the operator. Therefore deliveries reach only public addresses and networks
//! that the operator has allowed: [`callback_url`] checks a URL when it is submitted, and [`client`] checks it and all addresses
//! of its name again at every attempt. Redirects and proxies are not followed.

pub mod address_guard;
pub mod callback_url;
pub mod client;
mod resolver;
pub mod signature;
#[cfg(test)]
mod tests;

pub use callback_url::CallbackUrl;
pub use client::{Client, Disposition, Request, SendOutcome};
