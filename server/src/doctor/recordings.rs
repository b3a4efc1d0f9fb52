//! Checks of the recordings: missing files, owner, and files that the database doesn't reference.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use futures::TryStreamExt;
use leadscribe_engine::api::Timestamp;
use object_store::ObjectStore;

use super::{CheckContext, CheckResult, pluralize};
use crate::recording::files::{self, WAVEFORM_SUFFIX};
use crate::recording::owner;
use crate::storage::inspection::RowStats;
use crate::storage::{InstallationId, RecordingKey};

const CHECK: &str = "recordings";

/// Minimum age of unreferenced files to be reported. Newer ones may belong to a running upload, and a running server deletes older ones.
const MIN_UNREFERENCED_AGE: TimeDelta = TimeDelta::days(1);

/// Size and time of stored files, by name.
type StoredFiles = BTreeMap<String, (u64, Timestamp)>;

pub(super) async fn check(context: &CheckContext) -> Vec<CheckResult> {
    let is_bucket = context.config.recordings.url != "none";
    let rows = match &context.inspection {
        Ok(Some(inspection)) => inspection.row_stats.as_ref(),
        _ => None,
    };
    let store = match (&context.recordings, rows) {
        (Err(error), _) => {
            let remedy = "fix the reported error; until then, uploads and playback are refused";
            return vec![CheckResult::error(CHECK, error.clone(), remedy)];
        }
        (Ok(None), Some(rows)) if !rows.recordings.is_empty() => {
            let description = format!("{} referenced, but their folder is missing", describe_referenced(rows));
            let remedy = "restore the folder recordings in the data folder, from a backup if necessary";
            return vec![CheckResult::error(CHECK, description, remedy)];
        }
        (Ok(None), _) => return vec![CheckResult::ok(CHECK, "no recordings yet")],
        (Ok(Some(store)), _) => store,
    };
    let Some(rows) = rows else {
        return vec![CheckResult::ok(
            CHECK,
            "the store is reachable; without the database, its contents can't be checked",
        )];
    };
    let unreadable = |problem| {
        vec![CheckResult::error(CHECK, problem, "allow the server's user or access key to read and list the store")]
    };
    let Ok(owner) = owner::read(store).await else { return unreadable("the store can't be read") };
    if is_bucket && !context.is_full_check {
        let description =
            format!("the bucket is reachable; {} referenced; use --full to check each one", describe_referenced(rows));
        return vec![CheckResult::ok(CHECK, description), check_owner(rows, owner, None)];
    }
    match list_files(&**store).await {
        Ok(stored) => {
            vec![
                check_files(rows, &stored),
                check_owner(rows, owner, Some(&stored)),
                check_unreferenced(context, rows, &stored),
            ]
        }
        Err(_) => unreadable("the store can't be listed"),
    }
}

fn describe_referenced(rows: &RowStats) -> String {
    pluralize(rows.recordings.len() as u64, "recording is", "recordings are")
}

async fn list_files(store: &dyn ObjectStore) -> Result<StoredFiles, object_store::Error> {
    let files = store.list(None).map_ok(|object| (String::from(object.location), (object.size, object.last_modified)));
    files.try_collect().await
}

fn check_files(rows: &RowStats, stored: &StoredFiles) -> CheckResult {
    let missing: Vec<_> = rows.recordings.iter().filter(|(key, _)| !stored.contains_key(&key.0)).collect();
    let has_other_size = |(key, bytes): &&(RecordingKey, Option<u64>)| {
        stored.get(&key.0).zip(*bytes).is_some_and(|((size, _), bytes)| *size != bytes)
    };
    let damaged: Vec<_> = rows.recordings.iter().filter(has_other_size).collect();
    let total = pluralize(rows.recordings.len() as u64, "recording", "recordings");
    let remedy = "restore them from a backup; upload a new recording for calls whose recording is lost";
    if let Some((first, _)) = missing.first() {
        let description = format!("{} of {total} missing, such as {}", missing.len(), first.0);
        return CheckResult::error(CHECK, description, remedy);
    }
    if let Some((first, _)) = damaged.first() {
        let description =
            format!("{} of {total} have a different size than when stored, such as {}", damaged.len(), first.0);
        return CheckResult::error(CHECK, description, remedy);
    }
    CheckResult::ok(CHECK, format!("{} present", describe_referenced(rows)))
}

/// Checks the owner: recordings of another installation are never deleted.
fn check_owner(rows: &RowStats, owner: Option<InstallationId>, stored: Option<&StoredFiles>) -> CheckResult {
    const CHECK: &str = "owner";
    let InstallationId(own_id) = &rows.installation;
    let remedy = format!(
        "check the options of the database and of the recordings; if they belong together, set the first line of {} \
         next to the recordings to {own_id}",
        owner::OWNER_FILE_NAME
    );
    match (owner, stored) {
        (Some(owner), _) if owner == rows.installation => {
            CheckResult::ok(CHECK, "the recordings belong to this installation")
        }
        (Some(InstallationId(other)), _) => {
            let description = format!(
                "{} next to the recordings names installation {other}, but the database belongs to {own_id}; no \
                 recordings are deleted",
                owner::OWNER_FILE_NAME
            );
            CheckResult::error(CHECK, description, remedy)
        }
        (None, Some(stored)) if !is_clearly_owned(rows, stored) => {
            CheckResult::error(CHECK, "the database doesn't reference most of the recordings; none are deleted", remedy)
        }
        (None, Some(_)) => CheckResult::ok(CHECK, "the first worker records which installation owns the recordings"),
        (None, None) => {
            let description = format!(
                "the recordings have no {} yet; the database belongs to {own_id}; use --full for details",
                owner::OWNER_FILE_NAME
            );
            CheckResult::ok(CHECK, description)
        }
    }
}

fn is_clearly_owned(rows: &RowStats, stored: &StoredFiles) -> bool {
    let names = referenced_names(rows);
    let recordings: BTreeSet<_> =
        stored.keys().map(|name| recording_name(name)).filter(|name| is_server_created(name)).collect();
    let (referenced, unreferenced): (Vec<_>, Vec<_>) = recordings.into_iter().partition(|name| names.contains(name));
    owner::can_claim(referenced.len(), unreferenced.len())
}

/// Returns the name of the recording to which a file belongs: the recording itself, or its waveform.
fn recording_name(name: &str) -> &str {
    name.strip_suffix(WAVEFORM_SUFFIX).unwrap_or(name)
}

/// True if a server generated this name.
fn is_server_created(name: &str) -> bool {
    files::call_of(&RecordingKey(name.to_owned())).is_some()
}

/// Returns the names that the database references.
fn referenced_names(rows: &RowStats) -> BTreeSet<&str> {
    rows.recordings.iter().map(|(key, _)| key.0.as_str()).collect()
}

fn check_unreferenced(context: &CheckContext, rows: &RowStats, stored: &StoredFiles) -> CheckResult {
    let names = referenced_names(rows);
    let before = context.now - MIN_UNREFERENCED_AGE;
    let old_files = stored.iter().filter(|(name, (_, stored))| {
        *stored < before && !names.contains(recording_name(name)) && name.as_str() != owner::OWNER_FILE_NAME
    });
    let (unreferenced, foreign): (Vec<_>, Vec<_>) =
        old_files.partition(|(name, _)| is_server_created(recording_name(name)));
    if let Some((first, _)) = foreign.first() {
        let description = format!(
            "{} present that no server stored, such as {first}",
            pluralize(foreign.len() as u64, "file is", "files are")
        );
        return CheckResult::warning("unreferenced files", description, "they are never deleted; move them elsewhere");
    }
    let is_bucket = context.config.recordings.url != "none";
    let incomplete = match is_bucket {
        true => 0,
        false => files::abandoned_files_before(&context.config.recordings_dir(), before).len(),
    };
    let description = match (unreferenced.len(), incomplete) {
        (0, 0) => return CheckResult::ok("unreferenced files", "none"),
        (0, count) => {
            format!("{} left over from an interrupted upload", pluralize(count as u64, "file is", "files are"))
        }
        (unreferenced, _) => {
            format!("{} not referenced by a call", pluralize(unreferenced as u64, "recording is", "recordings are"))
        }
    };
    CheckResult::warning(
        "unreferenced files",
        description,
        "once a day, a running server deletes those older than a day",
    )
}
