//! kill -9 during backup and restore: a file or folder with its final name is complete.

use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{back_up, files, installation, manifest, names};
use crate::harness::{killed_after, told};

const ROUNDS: usize = 16;

/// Kills a command at random moments, and returns how often it was still running.
fn kill_often(
    data: impl Fn(usize) -> std::path::PathBuf,
    args: impl Fn(usize) -> Vec<String>,
    takes: Duration,
) -> usize {
    let mut random = StdRng::seed_from_u64(17);
    let rounds = (0..ROUNDS).filter(|round| {
        let args = args(*round);
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let wait = takes.mul_f64(random.random_range(0.05..1.0));
        !killed_after(&data(*round), &args, wait)
    });
    rounds.count()
}

#[test]
fn killed_backup_leaves_no_file_with_its_final_name() {
    let home = installation();
    let (data, backups) = (home.path().join("data"), home.path().join("backups"));
    std::fs::create_dir(&backups).unwrap();
    let start = Instant::now();
    back_up(&data, &home.path().join("good"));
    let file = |round: usize| backups.join(format!("{round}")).to_str().unwrap().to_owned();
    let killed = kill_often(|_| data.clone(), |round| vec!["backup".to_owned(), file(round)], start.elapsed());
    assert!(killed > ROUNDS / 4, "only {killed} were killed");
    let complete: Vec<_> = names(&backups).into_iter().filter(|name| !name.starts_with('.')).collect();
    assert!(complete.len() < ROUNDS);
    for name in complete {
        verify(&backups.join(name));
    }
    // Leftovers don't prevent the next backup.
    let after = backups.join("after");
    back_up(&data, &after);
    verify(&after);
}

#[test]
fn killed_restore_leaves_no_folder_with_its_final_name() {
    let home = installation();
    let (good, targets) = (home.path().join("good"), home.path().join("targets"));
    back_up(&home.path().join("data"), &good);
    let restore = vec!["restore".to_owned(), good.to_str().unwrap().to_owned()];
    let start = Instant::now();
    told(&targets.join("whole"), &restore);
    let target = |round: usize| targets.join(format!("{round}"));
    let killed = kill_often(target, |_| restore.clone(), start.elapsed());
    assert!(killed > ROUNDS / 4, "only {killed} were killed");
    let complete: Vec<_> = names(&targets).into_iter().filter(|name| !name.starts_with('.')).collect();
    for name in &complete {
        let again = home.path().join(format!("again-{name}"));
        back_up(&targets.join(name), &again);
        let [again, good] = [&again, &good].map(|backup| manifest(backup));
        assert_eq!(again["tables"], good["tables"], "{name}");
        assert!(files(&again) == files(&good), "{name} lacks recordings: {}", again["remarks"]);
    }
    // A restore succeeds where a killed one left off.
    let free = (0..ROUNDS).find(|round| !complete.contains(&round.to_string())).expect("one was killed in time");
    told(&target(free), &restore);
}

fn verify(file: &Path) {
    let file = file.to_str().unwrap().to_owned();
    told(Path::new("nowhere"), &["restore".to_owned(), file, "--verify".to_owned()]);
}
