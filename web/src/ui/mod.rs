//! Components that features share. They render their props and report user actions; they don't fetch, except for
//! previews of recordings, suggested values and lead names.

pub mod audit;
mod badge;
pub mod call_table;
pub mod callback_form;
pub mod campaign_lead;
mod card;
mod charts;
mod copy_button;
pub mod dialog;
mod display_names;
mod error_notice;
pub mod filter_editor;
mod icon;
pub mod input;
pub mod json_editor;
pub mod lazy_view;
pub mod lead;
pub mod list;
mod local_time;
mod page;
pub mod prose;
mod recognizer_notice;
pub mod recording;
mod segmented_control;
mod toast_region;
pub mod transcript;
mod unsaved_changes;

pub use badge::{
    Badge, BadgeState, ImportBadges, StateBadge, Tone, TranscriptionBadge, direction_name, humanize, lead_status_tone,
};
pub use card::{Card, DescriptionItem, DescriptionList};
pub use charts::{BarRow, BarTable, DayChart, DayColumn, ProgressBar, Series, percent};
pub use copy_button::{CopyButton, CurlCommand};
pub use display_names::CodeKind;
pub use error_notice::{ChunkLoadError, ErrorNotice, ShortErrorNotice, diagnostic_list};
pub use icon::{Glyph, Icon, Logo};
pub use lazy_view::LazyMount;
pub use local_time::{LocalTime, OptionalLocalTime, PastDateNotice, Phone};
pub use page::{EmptyState, NoMatches, PageHeader, PageOutOfRange, set_tab_title};
pub use recognizer_notice::{NoTokenNotice, QueueStatus, RecognizerNotice, UsableTokens};
pub use segmented_control::{LanguageSwitch, SegmentedControl, Tabs, ThemeSwitch, segment};
pub use toast_region::ToastRegion;
pub use unsaved_changes::{EditConflictNotice, UnsavedChangesGuard, save_label};
