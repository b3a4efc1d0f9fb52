//! A primary and its asynchronous standby, which take turns.

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir, sql};
use tokio::task::block_in_place;

use crate::harness::eventually;

/// A primary and its standby.
pub struct Pair {
    pub primary: Cluster,
    pub standby: Cluster,
}

impl Pair {
    /// Starts both.
    pub fn start() -> Self {
        let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
        block_in_place(|| {
            let primary = Cluster::start(&programs, &Options::default()).unwrap();
            let standby = primary.replica().unwrap();
            Self { primary, standby }
        })
    }

    /// The URL that names both, which stays right whichever is the primary.
    pub fn url(&self) -> String {
        let [primary, standby] = [&self.primary, &self.standby].map(|server| format!("127.0.0.1:{}", server.port()));
        self.primary.url().replace(&primary, &format!("{primary},{standby}"))
    }

    /// Waits until the standby has everything that the primary has.
    pub async fn in_step(&self) {
        is_in_step(&self.primary, &self.standby).await;
    }

    /// Ends the replication: what is written from now on is lost when the primary is.
    pub fn cut_off(&self) {
        block_in_place(|| self.standby.cut_off().unwrap());
    }

    /// Stops the primary as in a crash.
    pub fn crash(&self) {
        block_in_place(|| self.primary.stop(Shutdown::Immediate).unwrap());
    }

    /// Promotes the standby. The former primary, which is stopped, becomes the standby by [`Pair::replace`].
    pub fn promote(&mut self) {
        block_in_place(|| self.standby.promote().unwrap());
        std::mem::swap(&mut self.primary, &mut self.standby);
    }

    /// Puts a new standby into the place of the former primary.
    pub fn replace(self) -> Self {
        let Self { primary, standby } = self;
        block_in_place(|| {
            let port = standby.port();
            drop(standby);
            let standby = primary.replica_on(port).unwrap();
            Self { primary, standby }
        })
    }
}

/// Waits until a standby has everything that its primary has.
pub async fn is_in_step(primary: &Cluster, standby: &Cluster) {
    let position = block_in_place(|| sql(&primary.url(), "SELECT pg_current_wal_flush_lsn()").unwrap());
    let has_replayed = format!("SELECT pg_last_wal_replay_lsn() >= '{position}'");
    eventually("the standby is in step", async || {
        block_in_place(|| sql(&standby.url(), &has_replayed).unwrap()) == "t"
    })
    .await;
}
