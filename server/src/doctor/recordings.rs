//! Checks of the recordings: missing files, owner, and files that the database doesn't reference.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use futures::TryStreamExt;
use leadscribe_engine::api::Timestamp;
use object_store::ObjectStore;

use super::{Finding, Setup, counted};
use crate::recording::{files, owner};
use crate::storage::survey::Rows;
use crate::storage::{InstallationId, RecordingKey};

const CHECK: &str = "recordings";

/// Minimum age of unreferenced files to be reported. Newer ones may belong to a running upload, and a running server deletes older ones.
const UNNAMED_KEPT: TimeDelta = TimeDelta::days(1);

/// Suffix of the waveform file next to a recording.
const OUTLINE: &str = ".outline";

/// Size and time of stored files, by name.
type Stored = BTreeMap<String, (u64, Timestamp)>;

pub(super) async fn check(setup: &Setup) -> Vec<Finding> {
    let is_bucket = setup.config.recordings.url != "none";
    let rows = match &setup.survey {
        Ok(Some(survey)) => survey.rows.as_ref(),
        _ => None,
    };
    let store = match (&setup.recordings, rows) {
        (Err(error), _) => {
            let remedy = "fix the reported error; until then, uploads and playback are refused";
            return vec![Finding::fault(CHECK, error.clone(), remedy)];
        }
        (Ok(None), Some(rows)) if !rows.recordings.is_empty() => {
            let found = format!("{} referenced, but their folder is missing", named(rows));
            let remedy = "restore the folder recordings in the data folder, from a backup if necessary";
            return vec![Finding::fault(CHECK, found, remedy)];
        }
        (Ok(None), _) => return vec![Finding::ok(CHECK, "no recordings yet")],
        (Ok(Some(store)), _) => store,
    };
    let Some(rows) = rows else {
        return vec![Finding::ok(CHECK, "the store is reachable; without the database, its contents can't be checked")];
    };
    let unreadable =
        |what| vec![Finding::fault(CHECK, what, "allow the server's user or access key to read and list the store")];
    let Ok(owner) = owner::read(store).await else { return unreadable("the store can't be read") };
    if is_bucket && !setup.full {
        let found = format!("the bucket is reachable; {} referenced; use --full to check each one", named(rows));
        return vec![Finding::ok(CHECK, found), owned(rows, owner, None)];
    }
    match list(&**store).await {
        Ok(stored) => {
            vec![present(rows, &stored), owned(rows, owner, Some(&stored)), unnamed(setup, rows, &stored)]
        }
        Err(_) => unreadable("the store can't be listed"),
    }
}

fn named(rows: &Rows) -> String {
    counted(rows.recordings.len() as u64, "recording is", "recordings are")
}

async fn list(store: &dyn ObjectStore) -> Result<Stored, object_store::Error> {
    let all = store.list(None).map_ok(|found| (String::from(found.location), (found.size, found.last_modified)));
    all.try_collect().await
}

fn present(rows: &Rows, stored: &Stored) -> Finding {
    let missing: Vec<_> = rows.recordings.iter().filter(|(key, _)| !stored.contains_key(&key.0)).collect();
    let other_size = |(key, bytes): &&(RecordingKey, Option<u64>)| {
        stored.get(&key.0).zip(*bytes).is_some_and(|((found, _), bytes)| *found != bytes)
    };
    let damaged: Vec<_> = rows.recordings.iter().filter(other_size).collect();
    let all = counted(rows.recordings.len() as u64, "recording", "recordings");
    let remedy = "restore them from a backup; upload a new recording for calls whose recording is lost";
    if let Some((first, _)) = missing.first() {
        let found = format!("{} of {all} missing, such as {}", missing.len(), first.0);
        return Finding::fault(CHECK, found, remedy);
    }
    if let Some((first, _)) = damaged.first() {
        let found = format!("{} of {all} have a different size than when stored, such as {}", damaged.len(), first.0);
        return Finding::fault(CHECK, found, remedy);
    }
    Finding::ok(CHECK, format!("{} present", named(rows)))
}

/// Checks the owner: recordings of another installation are never deleted.
fn owned(rows: &Rows, owner: Option<InstallationId>, stored: Option<&Stored>) -> Finding {
    const CHECK: &str = "owner";
    let InstallationId(ours) = &rows.installation;
    let remedy = format!(
        "check the options of the database and of the recordings; if they belong together, set the first line of {} \
         next to the recordings to {ours}",
        owner::NOTE
    );
    match (owner, stored) {
        (Some(owner), _) if owner == rows.installation => {
            Finding::ok(CHECK, "the recordings belong to this installation")
        }
        (Some(InstallationId(other)), _) => {
            let found = format!(
                "{} next to the recordings names installation {other}, but the database belongs to {ours}; no \
                 recordings are deleted",
                owner::NOTE
            );
            Finding::fault(CHECK, found, remedy)
        }
        (None, Some(stored)) if !is_plain(rows, stored) => {
            Finding::fault(CHECK, "the database doesn't reference most of the recordings; none are deleted", remedy)
        }
        (None, Some(_)) => Finding::ok(CHECK, "the first worker records which installation owns the recordings"),
        (None, None) => {
            let found = format!(
                "no note names the owner of the recordings; the database belongs to {ours}; use --full for \
                     details"
            );
            Finding::ok(CHECK, found)
        }
    }
}

fn is_plain(rows: &Rows, stored: &Stored) -> bool {
    let names = names(rows);
    let recordings: BTreeSet<_> = stored.keys().map(|name| recording(name)).filter(|name| is_ours(name)).collect();
    let (named, unnamed): (Vec<_>, Vec<_>) = recordings.into_iter().partition(|name| names.contains(name));
    owner::is_plain(named.len(), unnamed.len())
}

/// Returns the name of the recording for its own name or that of its waveform.
fn recording(name: &str) -> &str {
    name.strip_suffix(OUTLINE).unwrap_or(name)
}

/// True if a server created this name.
fn is_ours(name: &str) -> bool {
    files::call_of(&RecordingKey(name.to_owned())).is_some()
}

/// Returns the names that the database references.
fn names(rows: &Rows) -> BTreeSet<&str> {
    rows.recordings.iter().map(|(key, _)| key.0.as_str()).collect()
}

fn unnamed(setup: &Setup, rows: &Rows, stored: &Stored) -> Finding {
    let names = names(rows);
    let before = setup.now - UNNAMED_KEPT;
    let old = stored.iter().filter(|(name, (_, stored))| {
        *stored < before && !names.contains(recording(name)) && name.as_str() != owner::NOTE
    });
    let (left, foreign): (Vec<_>, Vec<_>) = old.partition(|(name, _)| is_ours(recording(name)));
    if let Some((first, _)) = foreign.first() {
        let found = format!(
            "{} present that no server stored, such as {first}",
            counted(foreign.len() as u64, "file is", "files are")
        );
        return Finding::warning("unnamed files", found, "they are never deleted; move them elsewhere");
    }
    let is_bucket = setup.config.recordings.url != "none";
    let half_stored = match is_bucket {
        true => 0,
        false => files::half_stored_before(&setup.config.recordings_dir(), before).len(),
    };
    let found = match (left.len(), half_stored) {
        (0, 0) => return Finding::ok("unnamed files", "none"),
        (0, half) => format!("{} left over from an interrupted upload", counted(half as u64, "file is", "files are")),
        (left, _) => format!("{} not referenced by a call", counted(left as u64, "recording is", "recordings are")),
    };
    Finding::warning("unnamed files", found, "once a day, a running server deletes those older than a day")
}
