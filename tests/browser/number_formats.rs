//! Localized display and input of numbers, phone numbers and dates.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use crate::harness::body;

journey!(lead_fields_use_german_formats, async |page, server| {
    let admin = server.admin();
    let campaign = admin.create("/api/campaigns", json!({ "name": "Hafenlichter" })).await;
    let lead_data = json!({
        "first_name": "Ann", "phone_normalized": "+4930123456", "lat": 52.5, "purchase_amount": 1234.5, "birthdate": "1985-12-10",
    });
    let lead = admin.create("/api/leads", lead_data).await;
    let campaign_lead = json!({ "lead_id": lead, "campaign_id": campaign, "status": "new" });
    let campaign_lead = admin.create("/api/campaign-leads", campaign_lead).await;
    let past_dates = json!({ "callback_at": "2020-01-01T08:00:00Z", "freeze_until": "2020-01-01T08:00:00Z" });
    admin.patch(&format!("/api/campaign-leads/{campaign_lead}"), body(past_dates)).await.expect(200);
    page.open("/login").await;
    page.wait_for("[data-test=login-email]").await;
    page.run_script("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;
    log_in(page, server, Role::Manager, &format!("/leads/{lead}")).await;

    page.wait_for("[data-test=reason-expired]").await;
    assert_eq!(page.texts("[data-test=reason-expired]").await, ["(abgelaufen)", "(abgelaufen)"]);
    page.expect_text("[data-test=lead-campaign] .badge", "Neu").await;
    // Phone numbers are displayed in groups; the copied text and the tooltip are ungrouped.
    page.expect_attributes("aside .phone", "title", &["+4930123456".to_owned()]).await;
    assert_eq!(page.texts("aside .phone > span").await, ["+49", "30", "123", "456"]);
    assert_eq!(page.texts("aside .phone").await, ["+4930123456"]);
    let details = page.text("aside .description-list").await;
    for expected in ["1.234,50", "52,5", "10. Dez. 1985"] {
        assert!(details.contains(expected), "{expected} is missing in {details:?}");
    }

    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-lat", "48,25").await;
    // "1.500" is ambiguous: 1500 or 1.5.
    page.fill("#lead-purchase_amount", "1.500").await;
    let expected_message = "\"1.500\" ist nicht eindeutig: Verwenden Sie 1500 oder 1,500.";
    page.expect_text("#lead-purchase_amount-note [data-test=diagnostic]", expected_message).await;
    page.wait_for("[data-test=save-lead]:disabled").await;
    page.fill("#lead-purchase_amount", "1.500,00").await;
    page.wait_for("[data-test=save-lead]:enabled").await;
    page.fill("#lead-purchase_amount", "99,9").await;
    page.click("[data-test=save-lead]").await;
    page.wait_until_gone("[data-test=lead-form]").await;
    let stored_values = async || {
        let lead_data = admin.get(&format!("/api/leads/{lead}")).await.expect(200);
        json!([lead_data["lat"], lead_data["purchase_amount"]])
    };
    page.wait_until_equal("the values are saved", json!([48.25, 99.9]), stored_values).await;

    page.click("button[data-test=edit-campaign-lead]").await;
    page.fill("[data-test=campaign-lead-weight]", "1,5").await;
    page.expect_text("#campaign-lead-weight-note [data-test=diagnostic]", "1,5 ist keine ganze Zahl.").await;
});

journey!(calls_are_found_by_a_grouped_number, async |page, server| {
    let call = json!({ "direction": "inbound", "status": "answered", "caller_number": "+4930998877" });
    let call = server.admin().create("/api/calls", call).await;
    log_in(page, server, Role::Viewer, "/calls").await;
    // A part of the number matches too, and the input is kept.
    for input in ["+49 30 99 88 77", "+49 30 99 8", "30 99 88"] {
        page.fill("[data-test=call-search]", &format!("{input}\n")).await;
        page.expect_location(&format!("/calls?search={}", input.replace('+', "%2B").replace(' ', "%20"))).await;
        page.expect_attributes("[data-test=call-row]", "data-id", &[call.to_string()]).await;
    }
    page.expect_attributes(".phone", "title", &["+4930998877".to_owned()]).await;
});
