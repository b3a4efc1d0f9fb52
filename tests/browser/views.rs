//! Saved views of the lead list.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{FILTER_JSON, Page, grouped};
use crate::harness::{Client, Server, body};

const NAME: &str = "[data-test=view-name]";
const CHANGED: &str = "[data-test=view-change]";
const TOAST: &str = "[data-test=toast] p";

/// Opens the menu, and clicks an entry.
async fn choose(page: &Page, css: &str) {
    page.click("[data-test=views] summary").await;
    page.click(css).await;
}

/// Waits until the open menu lists these views.
async fn lists(page: &Page, names: &[&str]) {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    page.lists("[data-test=view]", "data-name", &names).await;
}

async fn name_it(page: &Page, name: &str) {
    page.fill("[data-test=new-name]", name).await;
    page.click("[data-test=create]").await;
    page.shows(NAME, name).await;
}

async fn run_filter(page: &Page, filter: Value) {
    page.fill_filter(&filter.to_string()).await;
    page.click("[data-test=apply]").await;
}

/// Waits until the list's total equals the API's.
async fn finds(page: &Page, client: &Client, filter: Value) {
    let found = client.put("/api/leads/extended-data", body(filter)).await.expect(200);
    page.shows("[data-test=total]", &format!("{} leads", grouped(found["total_leads"].as_u64().unwrap()))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn view_can_be_saved_changed_removed_and_restored() {
    journey("views", async |page, server| {
        let admin = server.admin();
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        run_filter(page, json!({ "country": "DE", "limit": "10;0" })).await;
        finds(page, &admin, json!({ "country": "DE" })).await;
        choose(page, "[data-test=view-save-as]").await;
        assert!(!page.sees("[data-test=view-shared]").await, "viewers share nothing");
        name_it(page, "Germany").await;
        page.is_at("/leads?view=1").await;
        page.reload().await;
        page.shows(NAME, "Germany").await;
        finds(page, &admin, json!({ "country": "DE" })).await;

        // Paging doesn't change the view. Changing the filter does, and the change can be discarded.
        page.click("[aria-label='Next page']").await;
        page.until_equal("the address has the page", true, async || page.place().await.ends_with("&view=1")).await;
        assert!(!page.sees(CHANGED).await);
        page.fill_filter(r#"{"country":"GB","limit":"10;0"}"#).await;
        page.see(CHANGED).await;
        page.click("[data-test=change-discard]").await;
        page.see_gone(CHANGED).await;
        page.is_at("/leads?view=1").await;
        finds(page, &admin, json!({ "country": "DE" })).await;
        let text =
            async || page.run("return document.querySelector(arguments[0]).value.includes('DE')", FILTER_JSON).await;
        page.until_equal("the editor has the saved filter", json!(true), text).await;

        // Saving stores filter, order and columns.
        run_filter(page, json!({ "country": "GB", "limit": "10;0", "_order": "-city" })).await;
        page.see(CHANGED).await;
        page.click("[data-test=choose-columns]").await;
        page.click("[data-name=campaigns] [data-test=column-remove]").await;
        page.click("[data-test=columns-done]").await;
        page.click("[data-test=change-save]").await;
        page.see_gone(CHANGED).await;
        page.is_at("/leads?view=1").await;
        choose(page, "[data-test=view-rename]").await;
        name_it(page, "Great Britain").await;

        // The palette and the view's URL open it from any page. Without a view, all leads are shown.
        choose(page, "[data-test=view-none]").await;
        page.is_at("/leads").await;
        page.see_gone(NAME).await;
        finds(page, &admin, json!({ "limit": "0;0" })).await;
        page.open("/campaigns").await;
        page.see("[data-test=campaign-row]").await;
        page.press(&(Key::Control + "k")).await;
        page.see("[data-test=palette-input]").await;
        page.press("great brit").await;
        page.until_equal("the palette offers it", true, async || {
            page.texts("[data-test=palette-option]").await.first().is_some_and(|text| text.contains("Great Britain"))
        })
        .await;
        page.press(&Key::Enter).await;
        page.shows(NAME, "Great Britain").await;
        finds(page, &admin, json!({ "country": "GB" })).await;
        let heads = async || page.texts(".lead-table th").await;
        let expected = ["Lead", "Phone", "Location", "Updated"].map(str::to_owned).to_vec();
        page.until_equal("its columns", expected, heads).await;

        choose(page, "[data-test=view-delete]").await;
        page.see_gone(NAME).await;
        finds(page, &admin, json!({ "country": "GB" })).await;
        page.click("[data-test=undo]").await;
        page.shows(NAME, "Great Britain").await;
        page.is_at("/leads?view=1").await;
        page.click("[data-test=views] summary").await;
        lists(page, &["Great Britain"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shared_view_is_visible_to_all_and_private_one_is_not() {
    journey("views_shared", async |page, server| {
        let views = saved(server).await;
        log_in(page, server, Role::Viewer, "/leads").await;
        page.open(&format!("/leads?view={}", views[0])).await;
        page.shows(NAME, "Shared").await;
        finds(page, &server.admin(), json!({ "country": "DE" })).await;
        let heads = async || page.texts(".lead-table th").await;
        page.until_equal("its columns", vec!["Lead".to_owned(), "City".to_owned()], heads).await;
        page.click("[data-test=views] summary").await;
        lists(page, &["Shared"]).await;
        for deed in ["view-rename", "view-unshare", "view-delete"] {
            assert!(!page.sees(&format!("[data-test={deed}]")).await, "it is somebody else's: {deed}");
        }
        page.press(&Key::Escape).await;
        page.see_gone("[data-test=view]").await;
        page.fill_filter(r#"{"country":"GB","limit":"10;0"}"#).await;
        page.see("[data-test=change-save-as]").await;

        page.open(&format!("/leads?view={}", views[1])).await;
        page.shows("[data-test=empty] h2", "View not found").await;
        assert!(!page.sees("[data-test=export]").await, "a file of all leads isn't what the link was about");
        assert!(!page.sees("[data-test=lead-row]").await);
        page.click("[data-test=empty] a").await;
        page.is_at("/leads").await;
        page.see("[data-test=lead-row]").await;
        // A filter in the URL takes precedence over the view's.
        let filter = "%7B%22country%22%3A%22GB%22%2C%22limit%22%3A%2210%3B0%22%7D";
        page.open(&format!("/leads?filter={filter}&view={}", views[1])).await;
        page.see("[data-test=view-lost]").await;
        finds(page, &server.admin(), json!({ "country": "GB" })).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn managers_can_share_views_and_edit_shared_ones() {
    journey("views_kept", async |page, server| {
        let views = saved(server).await;
        log_in(page, server, Role::Manager, "/leads").await;
        page.see("[data-test=lead-row]").await;
        choose(page, "[data-test=view-save-as]").await;
        name_it(page, "Everybody").await;
        choose(page, "[data-test=view-share]").await;
        let said = async || page.texts(TOAST).await.contains(&"Shared “Everybody” with everyone".to_owned());
        page.until_equal("it is said who sees it", true, said).await;
        let viewer = server.staff("viewer").await;
        let seen = async || {
            let list = viewer.get("/api/views").await.expect(200);
            list["items"].as_array().unwrap().iter().map(|view| view["name"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(seen().await, [json!("Everybody"), json!("Shared")]);

        // A duplicate name is reported at its field.
        choose(page, &format!("[data-test=view][href='/leads?view={}']", views[0])).await;
        page.shows(NAME, "Shared").await;
        choose(page, "[data-test=view-rename]").await;
        page.fill("[data-test=new-name]", "Own").await;
        page.click("[data-test=create]").await;
        page.see("#new-name[aria-invalid=true]").await;
        page.fill("[data-test=new-name]", "Shared by all").await;
        page.click("[data-test=create]").await;
        page.shows(NAME, "Shared by all").await;

        // The view is marked as changed if the link's filter differs from the stored one.
        let filter = "%7B%22country%22%3A%22DE%22%2C%22limit%22%3A%2210%3B0%22%7D";
        page.open(&format!("/leads?filter={filter}&view={}", views[0])).await;
        page.shows(NAME, "Shared by all").await;
        page.see(CHANGED).await;
        choose(page, "[data-test=view-discard]").await;
        page.see_gone(CHANGED).await;

        choose(page, "[data-test=view-delete]").await;
        page.shows("#dialog-confirm-dialog", "Delete “Shared by all”?").await;
        page.click("[data-test=confirm]").await;
        page.see_gone(NAME).await;
        assert_eq!(seen().await, [json!("Everybody")]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn views_are_found_by_name_and_keyboard() {
    journey("views_many", async |page, server| {
        let admin = server.staff("admin").await;
        for number in 1..=8 {
            let filter = format!(r#"{{"limit":"{number};0"}}"#);
            admin
                .create("/api/views", json!({ "name": format!("View {number}"), "filter": filter, "shared": true }))
                .await;
        }
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=views] summary").await;
        let focused = async || page.run("return document.activeElement.dataset.test ?? null", Value::Null).await;
        page.until_equal("the search has the focus", json!("view-search"), focused).await;
        page.press("VIEW 3").await;
        lists(page, &["View 3"]).await;
        page.press(&Key::Down).await;
        page.until_equal("the keyboard is at the view", json!("view"), focused).await;
        page.press(&Key::Enter).await;
        page.shows(NAME, "View 3").await;
        page.until_equal("its leads are shown", 3, async || page.texts("[data-test=lead-row]").await.len()).await;
    })
    .await;
}

/// Saves views of an admin, the first of which is shared.
async fn saved(server: &Server) -> Vec<i64> {
    let admin = server.staff("admin").await;
    let mut ids = Vec::new();
    for (name, shared) in [("Shared", true), ("Own", false)] {
        let filter = r#"{"country":"DE","limit":"10;0"}"#;
        let view = json!({ "name": name, "filter": filter, "columns": "city", "shared": shared });
        ids.push(admin.create("/api/views", view).await);
    }
    ids
}
