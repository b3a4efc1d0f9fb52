//! Primary and asynchronous standby with alternating roles.

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir, sql};
use tokio::task::block_in_place;

use crate::harness::eventually;

/// Primary and its standby.
pub struct Pair {
    pub primary: Cluster,
    pub standby: Cluster,
}

impl Pair {
    /// Starts both servers.
    pub fn start() -> Self {
        let programs = bin_dir().expect("a PostgreSQL server; `cargo xtask test system` brings it");
        block_in_place(|| {
            let primary = Cluster::start(&programs, &Options::default()).unwrap();
            let standby = primary.replica().unwrap();
            Self { primary, standby }
        })
    }

    /// Returns the URL with both servers, which is valid whichever is the primary.
    pub fn url(&self) -> String {
        let [primary, standby] = [&self.primary, &self.standby].map(|server| format!("127.0.0.1:{}", server.port()));
        self.primary.url().replace(&primary, &format!("{primary},{standby}"))
    }

    /// Waits until the standby has all of the primary's data.
    pub async fn in_step(&self) {
        is_in_step(&self.primary, &self.standby).await;
    }

    /// Stops replication: later writes are lost with the primary.
    pub fn cut_off(&self) {
        block_in_place(|| self.standby.cut_off().unwrap());
    }

    /// Stops the primary as in a crash.
    pub fn crash(&self) {
        block_in_place(|| self.primary.stop(Shutdown::Immediate).unwrap());
    }

    /// Promotes the standby. The stopped former primary becomes the standby by [`Pair::replace`].
    pub fn promote(&mut self) {
        block_in_place(|| self.standby.promote().unwrap());
        std::mem::swap(&mut self.primary, &mut self.standby);
    }

    /// Replaces the former primary by a new standby.
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

/// Waits until a standby has all of its primary's data.
pub async fn is_in_step(primary: &Cluster, standby: &Cluster) {
    let position = block_in_place(|| sql(&primary.url(), "SELECT pg_current_wal_flush_lsn()").unwrap());
    let has_replayed = format!("SELECT pg_last_wal_replay_lsn() >= '{position}'");
    eventually("the standby is in step", async || {
        block_in_place(|| sql(&standby.url(), &has_replayed).unwrap()) == "t"
    })
    .await;
}
