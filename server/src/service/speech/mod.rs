//! Submissions to speech recognition, and their transcripts.

pub mod call_submission;
pub mod storage_quota;
pub mod transcripts;
