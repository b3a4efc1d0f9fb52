//! What several may change at once: a change says which state of it whoever makes it knows, and the server refuses it when that
//! isn't the last one.

use std::future::Future;

use chrono::SecondsFormat;
use gloo_net::http::Method;
use leadscribe_engine::api::{Campaign, CampaignLead, Lead, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Answer, Api, ApiError};
use crate::query::query_string;

/// The code of the fault of a change that knows an older state.
const CHANGED_SINCE: &str = "changed_since";

/// A thing that several may change.
pub trait Shared: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Where it is read and changed.
    fn url(&self) -> String;

    /// When it was changed last.
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
    /// What has become of it by now.
    pub async fn read_again<T: Shared>(self, known: &T) -> Answer<T> {
        self.get(&known.url()).await
    }

    /// Changes the fields that `change`, JSON text, names, unless somebody changed the thing since it was as it is `known`.
    pub fn change<T: Shared>(self, known: &T, change: String) -> impl Future<Output = Answer<T>> + use<T> {
        let at = known.updated_at().to_rfc3339_opts(SecondsFormat::Micros, true);
        let url = format!("{}{}", known.url(), query_string(&[("if_updated_at", &at)]));
        async move { self.send(Method::PATCH, &url, Some(change)).await }
    }
}

impl ApiError {
    /// Whether a change was refused because it knows an older state.
    pub fn is_changed_since(&self) -> bool {
        self.faults().iter().any(|fault| fault.code == CHANGED_SINCE)
    }
}
