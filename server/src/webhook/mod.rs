//! Deliveries to external endpoints: address guard, HTTP client with deadlines, and signatures.
//!
//! Holders of tokens choose the endpoints, not the operator. Therefore deliveries reach only public addresses and networks
//! that the operator has allowed: [`target`] checks a URL when it is submitted, and [`client`] checks it and all addresses
//! of its name again at every attempt. Redirects and proxies are not followed.

pub mod client;
pub mod guard;
mod resolve;
pub mod sign;
pub mod target;
#[cfg(test)]
mod tests;

pub use client::{Client, Outcome, Request, Verdict};
pub use target::CallbackUrl;
