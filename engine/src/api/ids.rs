//! Identifiers. Each kind of record has its own id type, so that the compiler rejects a lead id in place of a call id. The module also
//! defines how the audit log names subjects and actors.

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
            /// Name of the kind in the audit log: the part of a subject or actor before the colon.
            pub const KIND: &'static str = $kind;

            #[doc = concat!("Returns the record's name in the audit log, such as `", $kind, ":3`.")]
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
    /// Identifies a transcription of one call; 1 or more.
    TranscriptionId,
    /// Identifies a speech token; 1 or more.
    TokenId = "speech_token",
    /// Identifies an API key; 1 or more.
    ApiKeyId = "api_key",
    /// Identifies a staff member; 1 or more.
    UserId = "user",
    /// Identifies an import; 1 or more.
    ImportId = "import",
    /// Identifies a bulk lead action; 1 or more.
    LeadActionId,
    /// Identifies an audit log entry; 1 or more.
    AuditId,
    /// Identifies a search whose results are delivered to a callback; 1 or more.
    SpeechRequestId = "speech_request",
    /// Identifies a delivery to a callback; 1 or more.
    DeliveryId = "delivery",
    /// Identifies a staff member's session; 1 or more. The id grants no access.
    SessionId = "session",
    /// Identifies a saved view; 1 or more.
    ViewId = "view",
    /// Identifies a webhook; 1 or more.
    WebhookId = "webhook",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_audit_log_subjects() {
        assert_eq!(UserId(3).subject(), "user:3");
        assert_eq!(CampaignLeadId(17).subject(), "campaign_lead:17");
    }
}
