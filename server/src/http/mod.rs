//! HTTP: from bytes on a connection to a service call, and back.
//!
//! [`listen`] accepts connections, [`validating_stream`] ensures that hyper can read each request, and one warp filter ([`filter`]) passes
//! it to [`dispatch`]. That finds the row of [`routes`] by path ([`route_table`]), authorizes the caller ([`auth`]) and calls the handler.
//! A handler decodes a [`request::Request`], calls one service function, and encodes a [`reply`] or a [`problem::Problem`].

mod accept;
mod auth;
mod body;
mod body_validation;
mod compression;
mod cookies;
mod cors;
pub mod dispatch;
mod etag;
mod event_stream;
mod export;
mod filter;
mod handlers;
mod headers;
mod idempotency;
mod identity;
pub mod listen;
pub(crate) mod openapi;
mod panel;
mod prelude;
pub(crate) mod problem;
mod query;
pub mod reply;
mod request;
mod response_budget;
pub mod route_table;
pub mod routes;
mod slots;
#[cfg(test)]
mod tests;
mod timeout_stream;
pub(crate) mod tls;
mod typed_json;
mod validating_stream;
