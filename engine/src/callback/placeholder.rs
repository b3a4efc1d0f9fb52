//! Placeholders that a template can contain.

use crate::api::named_enum;

named_enum! {
    /// A placeholder of a template. Unknown values are `null`.
    Placeholder {
        /// The call's id, a number.
        CallId = "call_id",
        /// The id of the transcription, a number.
        TranscriptionId = "transcription_id",
        /// The id of the speech request, a number.
        SpeechRequestId = "speech_request_id",
        /// The lead's id, a number.
        LeadId = "lead_id",
        /// First name of the lead.
        FirstName = "first_name",
        /// Last name of the lead.
        LastName = "last_name",
        /// Email address of the lead.
        Email = "email",
        /// Phone number of the lead.
        Phone = "phone",
        /// Identifier of the lead in another system.
        OriginalIdentifier = "original_identifier",
        /// The campaign's id, a number.
        CampaignId = "campaign_id",
        /// Name of the campaign.
        CampaignName = "campaign_name",
        /// Name of the agent.
        Agent = "agent",
        /// `inbound` or `outbound`.
        Direction = "direction",
        /// Outcome of the call.
        CallStatus = "call_status",
        /// Creation time of the call, in RFC 3339.
        CallCreatedAt = "call_created_at",
        /// Start of the call, in RFC 3339.
        StartedAt = "started_at",
        /// End of the call, in RFC 3339.
        EndedAt = "ended_at",
        /// How the transcription ended: `completed`, `failed` or `cancelled`.
        TranscriptionStatus = "transcription_status",
        /// Reason why there is no transcript; `null` if it is completed.
        Error = "error",
        /// Length of the recording in seconds, a number.
        Duration = "duration",
        /// Main language of the speech, a BCP 47 code.
        Language = "language",
        /// The transcript as text, one line per speech segment.
        TranscriptText = "transcript_text",
        /// The transcript as an object, as in the response of `GET /api/speech-recognition/{call_id}`.
        SpeechResult = "speech_result",
        /// Id of the event, a text. Only for webhooks.
        EventId = "event_id",
        /// Type of the event, such as `lead.changed`. Only for webhooks.
        EventType = "event_type",
        /// Time of the event, in RFC 3339. Only for webhooks.
        EventTime = "event_time",
        /// The record of the event, such as `lead:17`. Only for webhooks.
        EventSubject = "event_subject",
        /// Data of the event, an object. Only for webhooks.
        EventData = "event_data",
    }
}

impl Placeholder {
    /// True if the placeholder has a value only in the template of a webhook.
    pub const fn is_for_webhooks(self) -> bool {
        matches!(self, Self::EventId | Self::EventType | Self::EventTime | Self::EventSubject | Self::EventData)
    }
}
