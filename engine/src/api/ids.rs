//! Identifiers: one type per kind of thing, so that a lead's id can't stand where a call's belongs.

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
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
    )+};
}

ids! {
    /// Identifies a lead; 1 or more.
    LeadId,
    /// Identifies a campaign; 1 or more.
    CampaignId,
    /// Identifies a lead in a campaign; 1 or more.
    CampaignLeadId,
    /// Identifies a call; 1 or more.
    CallId,
    /// Identifies a transcription, the work on one call; 1 or more.
    TranscriptionId,
    /// Identifies a speech recognition token; 1 or more.
    TokenId,
    /// Identifies an API key; 1 or more.
    ApiKeyId,
    /// Identifies a member of staff; 1 or more.
    UserId,
    /// Identifies an import; 1 or more.
    ImportId,
    /// Identifies an action on many leads; 1 or more.
    LeadActionId,
    /// Identifies an entry of the audit log; 1 or more.
    AuditId,
    /// Identifies a search whose results are delivered to a callback; 1 or more.
    SpeechRequestId,
    /// Identifies a delivery to a callback; 1 or more.
    DeliveryId,
    /// Identifies a session of a member of staff; 1 or more. It opens nothing.
    SessionId,
    /// Identifies a saved view; 1 or more.
    ViewId,
}
