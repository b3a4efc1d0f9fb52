//! Saved views of the lead list.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{FILTER_JSON, Page, format_grouped};
use crate::harness::{Client, Server};

const VIEW_NAME: &str = "[data-test=view-name]";
const CHANGED_MARK: &str = "[data-test=view-unsaved]";
const TOAST_TEXT: &str = "[data-test=toast] p";

/// Opens the menu, and clicks an entry.
async fn choose_menu_entry(page: &Page, css: &str) {
    page.click("[data-test=views] summary").await;
    page.click(css).await;
}

/// Waits until the open menu lists these views.
async fn expect_views(page: &Page, names: &[&str]) {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    page.expect_attributes("[data-test=view]", "data-name", &names).await;
}

async fn save_as(page: &Page, name: &str) {
    page.fill("[data-test=new-name]", name).await;
    page.click("[data-test=create]").await;
    page.expect_text(VIEW_NAME, name).await;
}

async fn apply_filter(page: &Page, filter: Value) {
    page.fill_filter(&filter.to_string()).await;
    page.click("[data-test=apply]").await;
}

/// Waits until the list's total equals the API's.
async fn expect_total(page: &Page, client: &Client, filter: Value) {
    let total = client.count_leads(filter).await;
    page.expect_text("[data-test=total]", &format!("{} leads", format_grouped(total))).await;
}

journey!(view_can_be_saved_changed_removed_and_restored, async |page, server| {
    let admin = server.admin();
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    apply_filter(page, json!({ "country": "DE", "limit": "10;0" })).await;
    expect_total(page, &admin, json!({ "country": "DE" })).await;
    choose_menu_entry(page, "[data-test=view-save-as]").await;
    assert!(!page.is_visible("[data-test=view-shared]").await, "viewers can't share views");
    save_as(page, "Germany").await;
    page.expect_location("/leads?view=1").await;
    page.reload().await;
    page.expect_text(VIEW_NAME, "Germany").await;
    expect_total(page, &admin, json!({ "country": "DE" })).await;

    // Paging doesn't change the view. Changing the filter does, and the change can be discarded.
    page.click("[aria-label='Next page']").await;
    page.wait_until_equal("the URL contains the page", true, async || page.location().await.ends_with("&view=1")).await;
    assert!(!page.is_visible(CHANGED_MARK).await);
    page.fill_filter(r#"{"country":"GB","limit":"10;0"}"#).await;
    page.wait_for(CHANGED_MARK).await;
    page.click("[data-test=change-discard]").await;
    page.wait_until_gone(CHANGED_MARK).await;
    page.expect_location("/leads?view=1").await;
    expect_total(page, &admin, json!({ "country": "DE" })).await;
    let editor_has_filter =
        async || page.run_script("return document.querySelector(arguments[0]).value.includes('DE')", FILTER_JSON).await;
    page.wait_until_equal("the editor has the saved filter", json!(true), editor_has_filter).await;

    // Saving stores filter, order and columns.
    apply_filter(page, json!({ "country": "GB", "limit": "10;0", "_order": "-city" })).await;
    page.wait_for(CHANGED_MARK).await;
    page.click("[data-test=choose-columns]").await;
    page.click("[data-name=campaigns] [data-test=column-remove]").await;
    page.click("[data-test=columns-close]").await;
    page.click("[data-test=change-save]").await;
    page.wait_until_gone(CHANGED_MARK).await;
    page.expect_location("/leads?view=1").await;
    choose_menu_entry(page, "[data-test=view-rename]").await;
    save_as(page, "Great Britain").await;

    // The palette and the view's URL open it from any page. Without a view, all leads are shown.
    choose_menu_entry(page, "[data-test=view-none]").await;
    page.expect_location("/leads").await;
    page.wait_until_gone(VIEW_NAME).await;
    expect_total(page, &admin, json!({ "limit": "0;0" })).await;
    page.open("/campaigns").await;
    page.wait_for("[data-test=campaign-row]").await;
    page.type_keys(&(Key::Control + "k")).await;
    page.wait_for("[data-test=palette-input]").await;
    page.type_keys("great brit").await;
    page.wait_until_equal("the palette offers the view", true, async || {
        page.texts("[data-test=palette-option]").await.first().is_some_and(|option| option.contains("Great Britain"))
    })
    .await;
    page.type_keys(&Key::Enter).await;
    page.expect_text(VIEW_NAME, "Great Britain").await;
    expect_total(page, &admin, json!({ "country": "GB" })).await;
    let header_texts = async || page.texts(".lead-table th").await;
    let expected = ["Lead", "Phone", "Location", "Updated"].map(str::to_owned).to_vec();
    page.wait_until_equal("the view's columns are shown", expected, header_texts).await;

    choose_menu_entry(page, "[data-test=view-delete]").await;
    page.wait_until_gone(VIEW_NAME).await;
    expect_total(page, &admin, json!({ "country": "GB" })).await;
    page.click("[data-test=undo]").await;
    page.expect_text(VIEW_NAME, "Great Britain").await;
    page.expect_location("/leads?view=1").await;
    page.click("[data-test=views] summary").await;
    expect_views(page, &["Great Britain"]).await;
});

journey!(shared_view_is_visible_to_all_and_private_one_is_not, async |page, server| {
    let views = create_views(server).await;
    log_in(page, server, Role::Viewer, "/leads").await;
    page.open(&format!("/leads?view={}", views[0])).await;
    page.expect_text(VIEW_NAME, "Shared").await;
    expect_total(page, &server.admin(), json!({ "country": "DE" })).await;
    let header_texts = async || page.texts(".lead-table th").await;
    page.wait_until_equal("the view's columns are shown", vec!["Lead".to_owned(), "City".to_owned()], header_texts)
        .await;
    page.click("[data-test=views] summary").await;
    expect_views(page, &["Shared"]).await;
    for action in ["view-rename", "view-unshare", "view-delete"] {
        assert!(!page.is_visible(&format!("[data-test={action}]")).await, "another user's view offers {action}");
    }
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone("[data-test=view]").await;
    page.fill_filter(r#"{"country":"GB","limit":"10;0"}"#).await;
    page.wait_for("[data-test=change-save-as]").await;

    page.open(&format!("/leads?view={}", views[1])).await;
    page.expect_text("[data-test=empty-state] h2", "View not found").await;
    assert!(!page.is_visible("[data-test=export]").await, "a missing view has no export");
    assert!(!page.is_visible("[data-test=lead-row]").await);
    page.click("[data-test=empty-state] a").await;
    page.expect_location("/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    // A filter in the URL takes precedence over the view's.
    let filter = "%7B%22country%22%3A%22GB%22%2C%22limit%22%3A%2210%3B0%22%7D";
    page.open(&format!("/leads?filter={filter}&view={}", views[1])).await;
    page.wait_for("[data-test=view-missing]").await;
    expect_total(page, &server.admin(), json!({ "country": "GB" })).await;
});

journey!(managers_can_share_views_and_edit_shared_ones, async |page, server| {
    let views = create_views(server).await;
    log_in(page, server, Role::Manager, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    choose_menu_entry(page, "[data-test=view-save-as]").await;
    save_as(page, "Everybody").await;
    choose_menu_entry(page, "[data-test=view-share]").await;
    let toast_shown = async || page.texts(TOAST_TEXT).await.contains(&"Shared “Everybody” with everyone".to_owned());
    page.wait_until_equal("the toast confirms that the view is shared", true, toast_shown).await;
    let viewer = server.logged_in_client("viewer").await;
    let visible_names = async || {
        let list = viewer.get("/api/views").await.expect(200);
        list["items"].as_array().unwrap().iter().map(|view| view["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(visible_names().await, [json!("Everybody"), json!("Shared")]);

    // A duplicate name is reported at its field.
    choose_menu_entry(page, &format!("[data-test=view][href='/leads?view={}']", views[0])).await;
    page.expect_text(VIEW_NAME, "Shared").await;
    choose_menu_entry(page, "[data-test=view-rename]").await;
    page.fill("[data-test=new-name]", "Own").await;
    page.click("[data-test=create]").await;
    page.wait_for("#new-name[aria-invalid=true]").await;
    page.fill("[data-test=new-name]", "Shared by all").await;
    page.click("[data-test=create]").await;
    page.expect_text(VIEW_NAME, "Shared by all").await;

    // The view is marked as changed if the link's filter differs from the stored one.
    let filter = "%7B%22country%22%3A%22DE%22%2C%22limit%22%3A%2210%3B0%22%7D";
    page.open(&format!("/leads?filter={filter}&view={}", views[0])).await;
    page.expect_text(VIEW_NAME, "Shared by all").await;
    page.wait_for(CHANGED_MARK).await;
    choose_menu_entry(page, "[data-test=view-discard]").await;
    page.wait_until_gone(CHANGED_MARK).await;

    choose_menu_entry(page, "[data-test=view-delete]").await;
    page.expect_text("#dialog-confirm-dialog", "Delete “Shared by all”?").await;
    page.click("[data-test=confirm]").await;
    page.wait_until_gone(VIEW_NAME).await;
    assert_eq!(visible_names().await, [json!("Everybody")]);
});

journey!(views_are_found_by_name_and_keyboard, async |page, server| {
    let admin = server.logged_in_client("admin").await;
    for number in 1..=8 {
        let filter = format!(r#"{{"limit":"{number};0"}}"#);
        admin.create("/api/views", json!({ "name": format!("View {number}"), "filter": filter, "shared": true })).await;
    }
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=views] summary").await;
    let focused_element =
        async || page.run_script("return document.activeElement.dataset.test ?? null", Value::Null).await;
    page.wait_until_equal("the search has the focus", json!("view-search"), focused_element).await;
    page.type_keys("VIEW 3").await;
    expect_views(page, &["View 3"]).await;
    page.type_keys(&Key::Down).await;
    page.wait_until_equal("the view has the focus", json!("view"), focused_element).await;
    page.type_keys(&Key::Enter).await;
    page.expect_text(VIEW_NAME, "View 3").await;
    page.wait_until_equal("its leads are shown", 3, async || page.texts("[data-test=lead-row]").await.len()).await;
});

/// Saves views of an admin, the first of which is shared.
async fn create_views(server: &Server) -> Vec<i64> {
    let admin = server.logged_in_client("admin").await;
    let mut ids = Vec::new();
    for (name, shared) in [("Shared", true), ("Own", false)] {
        let filter = r#"{"country":"DE","limit":"10;0"}"#;
        let view = json!({ "name": name, "filter": filter, "columns": "city", "shared": shared });
        ids.push(admin.create("/api/views", view).await);
    }
    ids
}
