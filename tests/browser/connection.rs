//! Lost connection: the panel reports it, loses no data, and recovers.

use std::net::SocketAddr;
use std::sync::Mutex;

use leadscribe_engine::api::Role;
use leadscribe_server::clock::{Clock, SystemClock};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use super::leads::expect_rows;
use super::login::log_in;
use super::{assert_panel_is_built, run_in_browser};
use crate::harness::Server;

const CONNECTION_NOTICE: &str = "[data-test=connection] p";

const SAVE_BUTTON: &str = "[data-test=status-dialog] [data-test=save]";

/// Proxy between browser and server that can break the connection.
struct BreakableProxy {
    address: SocketAddr,
    server_address: String,
    forward_task: Mutex<Option<JoinHandle<()>>>,
}

impl BreakableProxy {
    async fn start(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server_address = server.base().strip_prefix("http://").unwrap().to_owned();
        let proxy = Self { address: listener.local_addr().unwrap(), server_address, forward_task: Mutex::new(None) };
        proxy.start_forwarding(listener);
        proxy
    }

    fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Closes all connections and refuses new ones.
    async fn disconnect(&self) {
        let task = self.forward_task.lock().unwrap().take().expect("the proxy is connected");
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
    }

    async fn reconnect(&self) {
        self.start_forwarding(TcpListener::bind(self.address).await.unwrap());
    }

    fn start_forwarding(&self, listener: TcpListener) {
        let server_address = self.server_address.clone();
        let task = tokio::spawn(async move {
            // The connections close when this task ends.
            let mut connections = JoinSet::new();
            loop {
                let (mut browser_side, _) = listener.accept().await.unwrap();
                let server_address = server_address.clone();
                connections.spawn(async move {
                    let mut server_side = TcpStream::connect(server_address).await.unwrap();
                    // Either side may close the connection at any time.
                    _ = tokio::io::copy_bidirectional(&mut browser_side, &mut server_side).await;
                });
            }
        });
        *self.forward_task.lock().unwrap() = Some(task);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connection_is_reported_and_pages_recover() {
    assert_panel_is_built();
    let server = Server::start_at(SystemClock.now()).await;
    server.load_demo().await;
    let proxy = BreakableProxy::start(&server).await;
    run_in_browser("lost_connection_is_reported_and_pages_recover", &proxy.base_url(), async |page| {
        // All code must be loaded before the connection is lost. `split_imports.wasm` loads last.
        log_in(page, &server, Role::Manager, "/campaigns").await;
        page.wait_for("[data-test=campaign-row]").await;
        let wait_for_all_modules = async || {
            let script =
                "return performance.getEntriesByType('resource').some(e => e.name.endsWith('split_imports.wasm'))";
            let is_loaded = async || page.run_script(script, ()).await;
            page.wait_until_equal("all modules are loaded", json!(true), is_loaded).await;
        };
        wait_for_all_modules().await;
        page.click(".sidebar [href='/api-reference']").await;
        page.expect_text("h1", "API").await;
        page.click(".sidebar [href='/leads']").await;
        page.wait_for("[data-test=lead-row]").await;
        assert!(!page.is_visible(CONNECTION_NOTICE).await);

        // The loss is reported without any user action.
        proxy.disconnect().await;
        page.expect_text(CONNECTION_NOTICE, "No connection. Retrying…").await;
        proxy.reconnect().await;
        page.wait_until_gone(CONNECTION_NOTICE).await;

        // The next page of a list loads after the connection is back.
        proxy.disconnect().await;
        page.click("[aria-label='Next page']").await;
        page.wait_for(CONNECTION_NOTICE).await;
        proxy.reconnect().await;
        expect_rows(page, &server, &json!({ "limit": "50;50" })).await;
        page.wait_until_gone(CONNECTION_NOTICE).await;

        // A page opened during the loss loads too.
        proxy.disconnect().await;
        page.click(".sidebar [href='/campaigns']").await;
        page.expect_text("h1", "Campaigns").await;
        page.wait_for(CONNECTION_NOTICE).await;
        assert!(!page.is_visible("[data-test=campaign-row]").await);
        proxy.reconnect().await;
        page.wait_for("[data-test=campaign-row]").await;
        page.wait_until_gone(CONNECTION_NOTICE).await;
        assert!(!page.is_visible("[data-test=error]").await);

        // A failed save is reported until the connection is back.
        page.open("/settings?tab=statuses").await;
        wait_for_all_modules().await;
        page.click("[data-test=new-status]").await;
        page.fill("[data-test=status-label]", "Call back later").await;
        proxy.disconnect().await;
        page.click(SAVE_BUTTON).await;
        page.wait_for("[data-test=status-dialog] [data-test=error]").await;
        page.wait_for(CONNECTION_NOTICE).await;
        proxy.reconnect().await;
        page.wait_until_gone("[data-test=error]").await;
        page.click(SAVE_BUTTON).await;
        page.wait_for("[data-name=call_back_later]").await;
    })
    .await;
}
