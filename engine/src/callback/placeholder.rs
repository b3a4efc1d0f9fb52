//! The names that a template may hold in braces.

use crate::api::named_enum;

named_enum! {
    /// What a template can hold in braces. A value that isn't known is `null`.
    Placeholder {
        /// The call's id, a number.
        CallId = "call_id",
        /// The id of the transcription, a number.
        TranscriptionId = "transcription_id",
        /// The id of the request whose results are delivered, a number.
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
        /// What another system calls the lead.
        OriginalIdentifier = "original_identifier",
        /// The campaign's id, a number.
        CampaignId = "campaign_id",
        /// Name of the campaign.
        CampaignName = "campaign_name",
        /// Name of the agent.
        Agent = "agent",
        /// `inbound` or `outbound`.
        Direction = "direction",
        /// What came of the call.
        CallStatus = "call_status",
        /// When the call was created, in RFC 3339.
        CallCreatedAt = "call_created_at",
        /// When the call was begun, in RFC 3339.
        StartedAt = "started_at",
        /// When the call was ended, in RFC 3339.
        EndedAt = "ended_at",
        /// Length of the recording in seconds, a number.
        Duration = "duration",
        /// The language of most of the speech, a BCP 47 code.
        Language = "language",
        /// The transcript as text, a line for each time somebody speaks.
        TranscriptText = "transcript_text",
        /// The transcript as an object, as `GET /api/speech-recognition/{call_id}` answers it.
        SpeechResult = "speech_result",
    }
}
