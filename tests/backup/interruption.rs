//! kill -9 during backup and restore: a file or folder with its final name is complete.

use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{
    create_installation, file_names, files_without_database, read_manifest, run_backup, tables_without_change_log,
};
use crate::harness::{kill_after, stderr_of};

const ROUND_COUNT: usize = 16;

/// Kills a command at random times, and returns how often it was still running.
fn count_interrupted(
    data_dir_of: impl Fn(usize) -> std::path::PathBuf,
    args_of: impl Fn(usize) -> Vec<String>,
    max_delay: Duration,
) -> usize {
    let mut random = StdRng::seed_from_u64(17);
    let interrupted_rounds = (0..ROUND_COUNT).filter(|round| {
        let args = args_of(*round);
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let delay = max_delay.mul_f64(random.random_range(0.05..1.0));
        !kill_after(&data_dir_of(*round), &args, delay)
    });
    interrupted_rounds.count()
}

#[test]
fn killed_backup_leaves_no_file_with_its_final_name() {
    let temp_dir = create_installation();
    let (data_dir, backups) = (temp_dir.path().join("data"), temp_dir.path().join("backups"));
    std::fs::create_dir(&backups).unwrap();
    let started = Instant::now();
    run_backup(&data_dir, &temp_dir.path().join("good"));
    let backup_path = |round: usize| backups.join(format!("{round}")).to_str().unwrap().to_owned();
    let killed = count_interrupted(
        |_| data_dir.clone(),
        |round| vec!["backup".to_owned(), backup_path(round)],
        started.elapsed(),
    );
    assert!(killed > ROUND_COUNT / 4, "only {killed} were killed");
    let complete: Vec<_> = file_names(&backups).into_iter().filter(|name| !name.starts_with('.')).collect();
    assert!(complete.len() < ROUND_COUNT);
    for name in complete {
        verify(&backups.join(name));
    }
    // Leftovers don't prevent the next backup.
    let next_backup = backups.join("after");
    run_backup(&data_dir, &next_backup);
    verify(&next_backup);
}

#[test]
fn killed_restore_leaves_no_folder_with_its_final_name() {
    let temp_dir = create_installation();
    let (good_backup, targets) = (temp_dir.path().join("good"), temp_dir.path().join("targets"));
    run_backup(&temp_dir.path().join("data"), &good_backup);
    let restore_args = vec!["restore".to_owned(), good_backup.to_str().unwrap().to_owned()];
    let started = Instant::now();
    stderr_of(&targets.join("whole"), &restore_args);
    let target = |round: usize| targets.join(format!("{round}"));
    let killed = count_interrupted(target, |_| restore_args.clone(), started.elapsed());
    assert!(killed > ROUND_COUNT / 4, "only {killed} were killed");
    let complete: Vec<_> = file_names(&targets).into_iter().filter(|name| !name.starts_with('.')).collect();
    for name in &complete {
        let second_backup = temp_dir.path().join(format!("again-{name}"));
        run_backup(&targets.join(name), &second_backup);
        let [second_manifest, good_manifest] = [&second_backup, &good_backup].map(|backup| read_manifest(backup));
        assert_eq!(tables_without_change_log(&second_manifest), tables_without_change_log(&good_manifest), "{name}");
        assert!(
            files_without_database(&second_manifest) == files_without_database(&good_manifest),
            "{name} lacks recordings: {}",
            second_manifest["recording_issues"]
        );
    }
    // A restore into the folder of a killed one succeeds.
    let incomplete_round =
        (0..ROUND_COUNT).find(|round| !complete.contains(&round.to_string())).expect("no process was killed in time");
    stderr_of(&target(incomplete_round), &restore_args);
}

fn verify(file: &Path) {
    let file = file.to_str().unwrap().to_owned();
    stderr_of(Path::new("nowhere"), &["restore".to_owned(), file, "--verify".to_owned()]);
}
