//! Resources with optimistic concurrency control: a change names the version it is based on, and the server refuses it if that
//! isn't the latest version.

use std::future::Future;

use chrono::SecondsFormat;
use gloo_net::http::Method;
use leadscribe_engine::api::{Campaign, CampaignLead, Lead, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Answer, Api, ApiError};
use crate::query::query_string;

/// Diagnostic code of a change that is based on an outdated version.
const CHANGED_SINCE: &str = "changed_since";

/// A resource that several users may change.
pub trait Shared: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// URL to read and change it.
    fn url(&self) -> String;

    /// Time of the last change.
    fn updated_at(&self) -> Timestamp;
}

macro_rules! shared {
    ($($kind:ty: $url:literal,)+) => {
        $(impl Shared for $kind {
            fn url(&self) -> String {
                format!($url, self.id)
            }

            fn updated_at(&self) -> Timestamp {
                self.updated_at
            }
        })+
    };
}

shared! {
    Lead: "/api/leads/{}",
    Campaign: "/api/campaigns/{}",
    CampaignLead: "/api/campaign-leads/{}",
}

impl Api {
    /// Loads the current version of a resource.
    pub async fn read_again<T: Shared>(self, known: &T) -> Answer<T> {
        self.get(&known.url()).await
    }

    /// Changes a resource unless it was changed since version `known`. `change` is JSON text with the fields to change.
    pub fn change<T: Shared>(self, known: &T, change: String) -> impl Future<Output = Answer<T>> + use<T> {
        let at = known.updated_at().to_rfc3339_opts(SecondsFormat::Micros, true);
        let url = format!("{}{}", known.url(), query_string(&[("if_updated_at", &at)]));
        async move { self.send(Method::PATCH, &url, Some(change)).await }
    }
}

impl ApiError {
    /// True if a change was refused because it is based on an outdated version.
    pub fn is_changed_since(&self) -> bool {
        self.faults().iter().any(|fault| fault.code == CHANGED_SINCE)
    }
}
