//! Actions on many leads at once: what came of one, and of undoing it.

use serde::{Deserialize, Serialize};

use super::{LeadActionId, LeadId};

/// What an action on leads changed, or in a dry run would change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadActionOutcome {
    /// The action, by which it is undone; none when nothing was changed, as in a dry run.
    pub id: Option<LeadActionId>,
    /// The leads that it is about. One counts as changed when itself or any of its campaign leads is.
    pub leads: ChangeCounts,
    /// Those of their campaign leads that it is about; none where it sets only what is the lead's own.
    pub campaign_leads: ChangeCounts,
    /// Ids that were given, of which there is no lead.
    pub missing: u64,
    /// The last lead of a part (`at_most`) that leads follow: the next part begins `after` it.
    pub next: Option<LeadId>,
}

/// How many of the things that an action is about it changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeCounts {
    /// Those that became another.
    pub changed: u64,
    /// Those that were so already.
    pub unchanged: u64,
}

/// What came of undoing an action on leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadActionUndo {
    /// The action.
    pub id: LeadActionId,
    /// The leads that it had changed, by what became of them or of any of their campaign leads.
    pub leads: UndoCounts,
    /// The campaign leads that it had changed.
    pub campaign_leads: UndoCounts,
}

/// How many of the things that an action changed are again as they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UndoCounts {
    /// Those that got back what they had.
    pub restored: u64,
    /// Those that were left alone, because somebody changed or deleted them meanwhile.
    pub left: u64,
}
