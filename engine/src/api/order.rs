//! In which order lists stand: by one of their fields, named as the members of their entries are.

use std::fmt;

use super::named_enum;

/// What the entries of a list can be ordered by.
pub trait ListOrder: Copy + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The order that nobody asked for.
    const DEFAULT: Order<Self>;

    /// All of them, in their documented order.
    fn all() -> &'static [Self];

    /// Its name on the wire: a member of an entry, after a point one within a member.
    fn name(self) -> &'static str;
}

/// The order of a list: by a field and, where that is the same, by the entry's id, both in the same direction. So it is total.
/// Entries without a value come last in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order<By> {
    /// The field.
    pub by: By,
    /// Whether the largest comes first.
    pub descending: bool,
}

impl<By: ListOrder> Order<By> {
    /// The order with this name: that of a field, with `-` before it from the largest.
    pub fn from_name(name: &str) -> Option<Self> {
        let (descending, name) = name.strip_prefix('-').map_or((false, name), |rest| (true, rest));
        By::all().iter().find(|by| by.name() == name).map(|by| Self { by: *by, descending })
    }

    /// The names of all.
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
    /// What calls can be ordered by.
    CallOrder {
        /// Its id.
        Id = "id",
        /// When it was created.
        CreatedAt = "created_at",
        /// When it began.
        StartedAt = "started_at",
        /// When it ended.
        EndedAt = "ended_at",
        /// The agent's name, A to Z without case.
        Agent = "agent",
        /// The name of its direction.
        Direction = "direction",
        /// The name of how it ended.
        Status = "status",
        /// The number that called.
        CallerNumber = "caller_number",
        /// The number that was called.
        CalleeNumber = "callee_number",
        /// The id of its lead.
        LeadId = "lead_id",
        /// The id of its campaign.
        CampaignId = "campaign_id",
        /// The name of its campaign, A to Z without case.
        CampaignName = "campaign_name",
        /// The name of its recording's state.
        RecordingState = "recording.state",
        /// The length of its recording.
        RecordingDuration = "recording.duration_seconds",
        /// The name of the state of its latest transcription.
        TranscriptionState = "transcription_state",
    }
}

named_enum! {
    /// What campaigns can be ordered by.
    CampaignOrder {
        /// Its id.
        Id = "id",
        /// Its name, A to Z without case.
        Name = "name",
        /// Whether it is active.
        Active = "active",
        /// When it was created.
        CreatedAt = "created_at",
        /// When it was changed last.
        UpdatedAt = "updated_at",
        /// How many leads are in it.
        Leads = "leads",
        /// How many of them were never called.
        New = "new",
        /// How many of them were called, and can be again.
        Called = "called",
        /// How many of them are done.
        Done = "done",
    }
}

named_enum! {
    /// What deliveries can be ordered by.
    DeliveryOrder {
        /// Its id.
        Id = "id",
        /// When it was made.
        CreatedAt = "created_at",
        /// When it was taken or given up.
        FinishedAt = "finished_at",
        /// When the next attempt is due.
        NextAttemptAt = "next_attempt_at",
        /// The name of its state.
        State = "state",
        /// How often it was attempted.
        Attempts = "attempts",
        /// Status of the latest answer.
        LastStatus = "last_status",
        /// The id of its token.
        TokenId = "token_id",
        /// The id of its call.
        CallId = "call_id",
        /// Where to.
        CallbackUrl = "callback.callback_url",
    }
}

named_enum! {
    /// What imports can be ordered by.
    ImportOrder {
        /// Its id.
        Id = "id",
        /// The name of what its file holds.
        Kind = "kind",
        /// The name of its file, A to Z without case.
        FileName = "file_name",
        /// The name of its state.
        State = "state",
        /// When it began.
        StartedAt = "started_at",
        /// When it ended.
        FinishedAt = "finished_at",
        /// Rows read.
        RowsRead = "counts.read",
        /// Rows that made something new.
        RowsInserted = "counts.inserted",
        /// Rows that changed something.
        RowsUpdated = "counts.updated",
        /// Rows that said what was already so.
        RowsUnchanged = "counts.unchanged",
        /// Rows that were refused.
        RowsRejected = "counts.rejected",
    }
}

named_enum! {
    /// What the audit log can be ordered by.
    AuditOrder {
        /// Its id.
        Id = "id",
        /// When.
        At = "at",
        /// Who did it.
        Actor = "actor",
        /// What was done.
        Action = "action",
        /// To what.
        Subject = "subject",
    }
}

named_enum! {
    /// What transcripts that were found can be ordered by.
    TranscriptOrder {
        /// The id of the call.
        CallId = "call_id",
        /// When the call was created.
        CallCreatedAt = "call_created_at",
        /// The id of the call's lead.
        LeadId = "lead_id",
        /// The name of the call's campaign, A to Z without case.
        CampaignName = "campaign_name",
        /// The agent's name, A to Z without case.
        Agent = "agent",
        /// The language of most of the speech.
        Language = "language",
        /// The length of the recording.
        Duration = "duration",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_named_by_its_field_and_direction() {
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
