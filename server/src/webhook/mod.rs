//! Deliveries to external endpoints: address guard, HTTP client with deadlines, and signatures.
//!
//! Token holders choose the endpoints, not the operator. Therefore only public addresses and networks allowed by the operator can be
//! reached. [`callback_url`] checks a URL when it is submitted. [`client`] checks the URL and all addresses of its host again at each
//! attempt. Redirects and proxies are not followed.

pub mod address_guard;
pub mod callback_url;
pub mod client;
mod resolver;
pub mod signature;
#[cfg(test)]
mod tests;

pub use callback_url::CallbackUrl;
pub use client::{Client, Disposition, Request, SendOutcome};
