//! HTTP: from bytes on a connection to a service call, and back.
//!
//! [`listen`] accepts connections, [`validating_stream`] ensures that hyper can read each request, and one warp filter ([`filter`]) passes
//! it to [`dispatch`]. That finds the row of [`routes`] by path ([`route_table`]), authorizes the caller ([`auth`]) and calls the handler.
//! A handler decodes a [`request::Request`], calls one service function, and encodes a [`reply`] or a [`problem::Problem`].

pub mod accept;
pub mod auth;
pub mod body;
pub mod body_validation;
mod compression;
pub mod cookies;
mod cors;
pub mod dispatch;
mod etag;
pub mod export;
pub mod filter;
pub mod handlers;
pub mod headers;
pub mod identity;
pub mod listen;
pub mod openapi;
pub mod panel;
pub mod prelude;
pub mod problem;
pub mod query;
pub mod reply;
pub mod request;
pub mod response_budget;
pub mod route_table;
pub mod routes;
pub mod slots;
#[cfg(test)]
mod tests;
pub mod timeout_stream;
pub mod tls;
pub mod typed_json;
pub mod validating_stream;
