//! Sort orders of lists. Sort keys are named like the fields of the entries.

use std::fmt;

use super::named_enum;

/// Sort key of a list.
pub trait ListOrder: Copy + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// Default order.
    const DEFAULT: Order<Self>;

    /// All sort keys, in documented order.
    fn all() -> &'static [Self];

    /// Name on the wire: a field of an entry. A dot separates a nested field.
    fn name(self) -> &'static str;
}

/// Sort order of a list: by a key and then by the entry's id, both in the same direction. The order is total. Entries without a value come
/// last in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order<By> {
    /// Sort key.
    pub by: By,
    /// True for descending order.
    pub descending: bool,
}

impl<By: ListOrder> Order<By> {
    /// Returns the order with this name: the name of the key, with a `-` prefix for descending.
    pub fn from_name(name: &str) -> Option<Self> {
        let (descending, name) = name.strip_prefix('-').map_or((false, name), |rest| (true, rest));
        By::all().iter().find(|by| by.name() == name).map(|by| Self { by: *by, descending })
    }

    /// Returns the names of all orders.
    pub fn names() -> impl Iterator<Item = String> {
        By::all().iter().flat_map(|by| [false, true].map(|descending| Self { by: *by, descending }.to_string()))
    }
}

impl<By: ListOrder> Default for Order<By> {
    fn default() -> Self {
        By::DEFAULT
    }
}

impl<By: ListOrder> fmt::Display for Order<By> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.descending { "-" } else { "" }, self.by.name())
    }
}

macro_rules! list_orders {
    ($($name:ident: $default:ident, descending: $descending:literal;)+) => {$(
        impl ListOrder for $name {
            const DEFAULT: Order<Self> = Order { by: Self::$default, descending: $descending };

            fn all() -> &'static [Self] {
                Self::ALL
            }

            fn name(self) -> &'static str {
                self.as_str()
            }
        }
    )+};
}

list_orders! {
    CallOrder: CreatedAt, descending: true;
    CampaignOrder: Id, descending: false;
    DeliveryOrder: Id, descending: true;
    ImportOrder: Id, descending: true;
    AuditOrder: Id, descending: true;
    TranscriptOrder: CallCreatedAt, descending: true;
}

named_enum! {
    /// Sort keys of calls.
    CallOrder {
        /// Id.
        Id = "id",
        /// Time of creation.
        CreatedAt = "created_at",
        /// Start of the call.
        StartedAt = "started_at",
        /// End of the call.
        EndedAt = "ended_at",
        /// Agent's name, A to Z, case-insensitive.
        Agent = "agent",
        /// Name of the direction.
        Direction = "direction",
        /// Name of the outcome.
        Status = "status",
        /// Caller's number.
        CallerNumber = "caller_number",
        /// Callee's number.
        CalleeNumber = "callee_number",
        /// Id of the lead.
        LeadId = "lead_id",
        /// Id of the campaign.
        CampaignId = "campaign_id",
        /// Name of the campaign, A to Z, case-insensitive.
        CampaignName = "campaign_name",
        /// Name of the recording's state.
        RecordingState = "recording.state",
        /// Length of the recording.
        RecordingDuration = "recording.duration_seconds",
        /// Name of the latest transcription's state.
        TranscriptionState = "transcription_state",
    }
}

named_enum! {
    /// Sort keys of campaigns.
    CampaignOrder {
        /// Id.
        Id = "id",
        /// Name, A to Z, case-insensitive.
        Name = "name",
        /// Active or inactive.
        Active = "active",
        /// Time of creation.
        CreatedAt = "created_at",
        /// Time of the latest change.
        UpdatedAt = "updated_at",
        /// Number of leads.
        Leads = "leads",
        /// Number of leads that were never called.
        New = "new",
        /// Number of leads that were called and can be called again.
        Called = "called",
        /// Number of leads that are done.
        Done = "done",
    }
}

named_enum! {
    /// Sort keys of deliveries.
    DeliveryOrder {
        /// Id.
        Id = "id",
        /// Time of creation.
        CreatedAt = "created_at",
        /// Time at which the delivery was accepted, failed or was stopped.
        FinishedAt = "finished_at",
        /// Time of the next attempt.
        NextAttemptAt = "next_attempt_at",
        /// Name of the state.
        State = "state",
        /// Number of attempts.
        Attempts = "attempts",
        /// HTTP status of the latest response.
        LastStatus = "last_status",
        /// Id of the token.
        TokenId = "token_id",
        /// Id of the call.
        CallId = "call_id",
        /// Callback URL.
        CallbackUrl = "callback.callback_url",
    }
}

named_enum! {
    /// Sort keys of imports.
    ImportOrder {
        /// Id.
        Id = "id",
        /// Name of the file's content.
        Kind = "kind",
        /// File name, A to Z, case-insensitive.
        FileName = "file_name",
        /// Name of the state.
        State = "state",
        /// Time at which the import started.
        StartedAt = "started_at",
        /// Time at which the import ended.
        FinishedAt = "finished_at",
        /// Number of rows read.
        RowsRead = "counts.read",
        /// Number of rows that created a record.
        RowsInserted = "counts.inserted",
        /// Number of rows that changed a record.
        RowsUpdated = "counts.updated",
        /// Number of rows that changed nothing.
        RowsUnchanged = "counts.unchanged",
        /// Number of rejected rows.
        RowsRejected = "counts.rejected",
    }
}

named_enum! {
    /// Sort keys of the audit log.
    AuditOrder {
        /// Id.
        Id = "id",
        /// Time of the action.
        CreatedAt = "created_at",
        /// Actor.
        Actor = "actor",
        /// Action.
        Action = "action",
        /// Subject.
        Subject = "subject",
    }
}

named_enum! {
    /// Sort keys of transcript search results.
    TranscriptOrder {
        /// Id of the call.
        CallId = "call_id",
        /// Time at which the call was created.
        CallCreatedAt = "call_created_at",
        /// Id of the call's lead.
        LeadId = "lead_id",
        /// Name of the call's campaign, A to Z, case-insensitive.
        CampaignName = "campaign_name",
        /// Agent's name, A to Z, case-insensitive.
        Agent = "agent",
        /// Main language of the speech.
        Language = "language",
        /// Length of the recording.
        Duration = "duration",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_round_trip_through_their_names() {
        for name in Order::<CallOrder>::names() {
            let order = Order::<CallOrder>::from_name(&name).unwrap();
            assert_eq!((order.to_string(), order.descending), (name.clone(), name.starts_with('-')));
        }
        assert_eq!(Order::<ImportOrder>::names().count(), 22);
        for name in ["", "-", "--id", "ID", " id", "leads"] {
            assert_eq!(Order::<CallOrder>::from_name(name), None, "{name:?}");
        }
        assert_eq!(Order::<CallOrder>::default().to_string(), "-created_at");
        assert_eq!(Order::<CampaignOrder>::default().to_string(), "id");
    }
}
