//! Databases of a comparison, each loaded on first use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use leadscribe_test_postgres::{Cluster, Database, Options};

use crate::bench::process;
use crate::project::Project;
use crate::setup;

/// Typical PostgreSQL settings for a few million leads on a typical machine.
const POSTGRES_SETTINGS: [(&str, &str); 10] = [
    ("shared_buffers", "3GB"),
    ("work_mem", "64MB"),
    ("maintenance_work_mem", "1GB"),
    ("effective_cache_size", "10GB"),
    ("random_page_cost", "1.1"),
    ("jit", "off"),
    ("max_parallel_workers_per_gather", "0"),
    ("max_wal_size", "8GB"),
    ("checkpoint_timeout", "30min"),
    ("max_connections", "120"),
];

/// Locations of the databases and programs.
pub struct Stores<'a> {
    project: &'a Project,
    data_dir: PathBuf,
    programs: PathBuf,
    should_reuse: bool,
    is_sqlite_loaded: bool,
    // Databases are dropped before their server.
    databases: Vec<(&'static str, Database)>,
    cluster: Option<Cluster>,
}

impl<'a> Stores<'a> {
    /// Uses `data_dir`, which contains the peers' files in `peers` and the workload. With `should_reuse`, database
    /// files of an earlier run are kept.
    pub fn new(project: &'a Project, data_dir: &Path, programs: PathBuf, should_reuse: bool) -> Self {
        let data_dir = data_dir.to_owned();
        Self {
            project,
            data_dir,
            programs,
            should_reuse,
            is_sqlite_loaded: false,
            databases: Vec::new(),
            cluster: None,
        }
    }

    pub fn project(&self) -> &Project {
        self.project
    }

    pub fn dir(&self) -> &Path {
        &self.data_dir
    }

    pub fn reuse(&self) -> bool {
        self.should_reuse
    }

    /// Returns the path of a program in `xtask/bench/direct`.
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// Returns the log file of a system.
    pub fn log_file(&self, name: &str) -> PathBuf {
        self.data_dir.join(format!("{name}.log"))
    }

    /// Returns the file of queries for the peers' programs.
    pub fn workload_file(&self) -> String {
        self.path("workload.jsonl")
    }

    /// Returns the folder with the rows for the peers' programs.
    fn peers_csv_dir(&self) -> String {
        self.path("peers")
    }

    fn path(&self, name: &str) -> String {
        self.data_dir.join(name).to_string_lossy().into_owned()
    }

    /// Returns the SQLite files: one with indexes, for Datasette, and one that also has summary tables.
    pub fn sqlite_files(&mut self) -> Result<[String; 2]> {
        let files = ["plain.db", "tuned.db"].map(|name| self.path(name));
        let all_exist = files.iter().all(|file| Path::new(file).exists());
        if !(all_exist && (self.should_reuse || self.is_sqlite_loaded)) {
            for file in &files {
                remove_database(Path::new(file))?;
            }
            let [plain, tuned] = &files;
            run_loader(&self.program("sqlite_load"), &[&self.peers_csv_dir(), plain, tuned])?;
        }
        self.is_sqlite_loaded = true;
        Ok(files)
    }

    /// Returns the URL of the PostgreSQL database for the hand-written programs.
    pub fn handwritten_database_url(&mut self) -> Result<String> {
        self.loaded_database_url("hand")
    }

    /// Returns the URL of the PostgreSQL database for Directus.
    pub fn directus_database_url(&mut self) -> Result<String> {
        self.loaded_database_url("directus")
    }

    fn loaded_database_url(&mut self, name: &'static str) -> Result<String> {
        let (url, is_new) = self.database_url(name)?;
        if is_new {
            run_loader(&self.program("pg_load"), &[&url, &self.peers_csv_dir(), name])?;
        }
        Ok(url)
    }

    /// Returns the URL of a database on the server of this run, and whether it was just created.
    pub fn database_url(&mut self, name: &'static str) -> Result<(String, bool)> {
        if let Some((_, database)) = self.databases.iter().find(|(existing, _)| *existing == name) {
            return Ok((database.url().to_owned(), false));
        }
        let programs = setup::postgres::ensure()?;
        if self.cluster.is_none() {
            let settings = POSTGRES_SETTINGS.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
            self.cluster = Some(Cluster::start(&programs, &Options { durable: true, settings, ..Options::default() })?);
        }
        let cluster = self.cluster.as_ref().context("the server was started")?;
        let database = Database::create_on(&cluster.url())?;
        let url = database.url().to_owned();
        self.databases.push((name, database));
        Ok((url, true))
    }
}

/// Builds the programs of the comparison, and returns their folder.
pub fn build_programs(project: &Project) -> Result<PathBuf> {
    let target = project.target_dir.join("bench/direct");
    let manifest = project.root.join("xtask/bench/direct/Cargo.toml");
    let args = ["build", "--release", "--quiet", "--manifest-path"].map(Into::into).into_iter();
    let args = args.chain([manifest.into_os_string(), "--target-dir".into(), target.clone().into_os_string()]);
    project.cargo(args).run().context("can't build the programs of the comparison")?;
    Ok(target.join("release"))
}

/// Deletes a database with SQLite's accompanying files.
pub fn remove_database(database: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let file = PathBuf::from(format!("{}{suffix}", database.display()));
        if file.exists() {
            fs::remove_file(&file).with_context(|| format!("can't remove {}", file.display()))?;
        }
    }
    Ok(())
}

fn run_loader(program: &Path, args: &[&str]) -> Result<()> {
    let output = process::command(program).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
    ensure!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    print!("{}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}
