//! Identifiers: one type per kind of thing, so that a lead's id can't stand where a call's belongs; and how the audit log names
//! what it is about, and who did it.

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident $(= $kind:literal)?),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(minimum = 1))]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        $(impl $name {
            /// How the audit log calls things of this kind: what stands before the colon of a subject or an actor.
            pub const KIND: &'static str = $kind;

            #[doc = concat!("How the audit log names it, such as `", $kind, ":3`.")]
            pub fn subject(self) -> String {
                format!("{}:{self}", Self::KIND)
            }
        })?
    )+};
}

ids! {
    /// Identifies a lead; 1 or more.
    LeadId = "lead",
    /// Identifies a campaign; 1 or more.
    CampaignId = "campaign",
    /// Identifies a lead in a campaign; 1 or more.
    CampaignLeadId = "campaign_lead",
    /// Identifies a call; 1 or more.
    CallId = "call",
    /// Identifies a transcription, the work on one call; 1 or more.
    TranscriptionId,
    /// Identifies a speech recognition token; 1 or more.
    TokenId = "speech_token",
    /// Identifies an API key; 1 or more.
    ApiKeyId = "api_key",
    /// Identifies a member of staff; 1 or more.
    UserId = "user",
    /// Identifies an import; 1 or more.
    ImportId = "import",
    /// Identifies an action on many leads; 1 or more.
    LeadActionId,
    /// Identifies an entry of the audit log; 1 or more.
    AuditId,
    /// Identifies a search whose results are delivered to a callback; 1 or more.
    SpeechRequestId = "speech_request",
    /// Identifies a delivery to a callback; 1 or more.
    DeliveryId = "delivery",
    /// Identifies a session of a member of staff; 1 or more. It opens nothing.
    SessionId = "session",
    /// Identifies a saved view; 1 or more.
    ViewId = "view",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_audit_log_names_things_by_kind_and_number() {
        assert_eq!(UserId(3).subject(), "user:3");
        assert_eq!(CampaignLeadId(17).subject(), "campaign_lead:17");
    }
}
