//! Resources with optimistic concurrency control: a change names the version it is based on, and the server refuses it
//! if that isn't the latest version.

use std::future::Future;

use chrono::SecondsFormat;
use gloo_net::http::Method;
use leadscribe_engine::api::{Campaign, CampaignLead, Lead, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Api, ApiError, ApiResult};
use crate::browser::query::query_string;

/// Diagnostic code of a change that is based on an outdated version.
const EDIT_CONFLICT_CODE: &str = "edit_conflict";

/// A resource that several users may change.
pub trait VersionedResource: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// URL to read and change it.
    fn url(&self) -> String;

    /// Time of the last change.
    fn updated_at(&self) -> Timestamp;
}

macro_rules! versioned {
    ($($kind:ty: $url:literal,)+) => {
        $(impl VersionedResource for $kind {
            fn url(&self) -> String {
                format!($url, self.id)
            }

            fn updated_at(&self) -> Timestamp {
                self.updated_at
            }
        })+
    };
}

versioned! {
    Lead: "/api/leads/{}",
    Campaign: "/api/campaigns/{}",
    CampaignLead: "/api/campaign-leads/{}",
}

impl Api {
    /// Loads the current version of a resource.
    pub async fn reload<T: VersionedResource>(self, current: &T) -> ApiResult<T> {
        self.get(&current.url()).await
    }

    /// Changes a resource unless it was changed since version `base`. `change` is JSON text with the fields to change.
    pub fn update_versioned<T: VersionedResource>(
        self,
        base: &T,
        change: String,
    ) -> impl Future<Output = ApiResult<T>> + use<T> {
        let version = base.updated_at().to_rfc3339_opts(SecondsFormat::Micros, true);
        let url = format!("{}{}", base.url(), query_string(&[("if_updated_at", &version)]));
        async move { self.send(Method::PATCH, &url, Some(change)).await }
    }
}

impl ApiError {
    /// True if a change was refused because it is based on an outdated version.
    pub fn is_edit_conflict(&self) -> bool {
        self.diagnostics().iter().any(|diagnostic| diagnostic.code == EDIT_CONFLICT_CODE)
    }
}
