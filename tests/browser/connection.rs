//! Lost connection: the panel reports it, loses no data, and recovers.

use std::net::SocketAddr;
use std::sync::Mutex;

use leadscribe_engine::api::Role;
use leadscribe_server::clock::{Clock, SystemClock};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use super::login::log_in;
use super::{assert_panel_is_built, visit};
use crate::harness::Server;

const LOST: &str = "[data-test=connection] p";

const SAVE: &str = "[data-test=status-dialog] [data-test=save]";

/// Proxy between browser and server that can break the connection.
struct Line {
    address: SocketAddr,
    to: String,
    carrying: Mutex<Option<JoinHandle<()>>>,
}

impl Line {
    async fn to(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let to = server.base().strip_prefix("http://").unwrap().to_owned();
        let line = Self { address: listener.local_addr().unwrap(), to, carrying: Mutex::new(None) };
        line.carry(listener);
        line
    }

    fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Closes all connections and refuses new ones.
    async fn cut(&self) {
        let carrying = self.carrying.lock().unwrap().take().expect("the line is whole");
        carrying.abort();
        assert!(carrying.await.unwrap_err().is_cancelled());
    }

    async fn mend(&self) {
        self.carry(TcpListener::bind(self.address).await.unwrap());
    }

    fn carry(&self, listener: TcpListener) {
        let to = self.to.clone();
        let carrying = tokio::spawn(async move {
            // The connections close when this task ends.
            let mut connections = JoinSet::new();
            loop {
                let (mut near, _) = listener.accept().await.unwrap();
                let to = to.clone();
                connections.spawn(async move {
                    let mut far = TcpStream::connect(to).await.unwrap();
                    // Either side may close the connection at any time.
                    _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                });
            }
        });
        *self.carrying.lock().unwrap() = Some(carrying);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connection_is_reported_and_pages_recover() {
    assert_panel_is_built();
    let server = Server::start_at(SystemClock.now()).await;
    server.load_demo().await;
    let line = Line::to(&server).await;
    visit("connection", &line.base(), async |page| {
        // All code must be loaded before the connection is lost; this part loads last.
        log_in(page, &server, Role::Manager, "/campaigns").await;
        page.see("[data-test=campaign-row]").await;
        let loaded = "return performance.getEntriesByType('resource').some(e => e.name.endsWith('split_imports.wasm'))";
        page.until_equal("all parts are loaded", json!(true), async || page.run(loaded, ()).await).await;
        page.click(".sidebar [href='/api-reference']").await;
        page.shows("h1", "API").await;
        page.click(".sidebar [href='/leads']").await;
        page.see("[data-test=lead-row]").await;
        assert!(!page.sees(LOST).await);

        // The loss is reported without any user action.
        line.cut().await;
        page.shows(LOST, "No connection. Retrying…").await;
        line.mend().await;
        page.see_gone(LOST).await;

        // The next page of a list loads after the connection is back.
        line.cut().await;
        page.click("[aria-label='Next page']").await;
        page.see(LOST).await;
        line.mend().await;
        let second = server.admin().put("/api/leads/extended-data", r#"{"limit":"50;50"}"#).await.expect(200);
        let ids: Vec<_> = second["leads"].as_array().unwrap().iter().map(|lead| lead["id"].to_string()).collect();
        page.lists("[data-test=lead-row]", "data-id", &ids).await;
        page.see_gone(LOST).await;

        // A page opened during the loss loads too.
        line.cut().await;
        page.click(".sidebar [href='/campaigns']").await;
        page.shows("h1", "Campaigns").await;
        page.see(LOST).await;
        assert!(!page.sees("[data-test=campaign-row]").await);
        line.mend().await;
        page.see("[data-test=campaign-row]").await;
        page.see_gone(LOST).await;
        assert!(!page.sees("[data-test=error]").await);

        // A failed save is reported until the connection is back.
        page.open("/settings?tab=statuses").await;
        page.click("[data-test=new-status]").await;
        page.fill("[data-test=status-label]", "Call back later").await;
        line.cut().await;
        page.click(SAVE).await;
        page.see("[data-test=status-dialog] [data-test=error]").await;
        page.see(LOST).await;
        line.mend().await;
        page.see_gone("[data-test=error]").await;
        page.click(SAVE).await;
        page.see("[data-name=call_back_later]").await;
    })
    .await;
}
