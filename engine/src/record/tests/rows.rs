//! Headers and rows of a table.

use super::*;

#[test]
fn a_header_is_checked_as_a_whole() {
    assert_eq!(
        refused(
            LeadRecord::csv(&["\u{feff}id", "frist_name", "id", "", "custom.cvv", "global_updated_at", "shoe size"])
                .map(drop)
        ),
        [
            "[frist_name] unknown_column: a lead has no field `frist_name` (did you mean `first_name`?)",
            "[id] duplicate_column: the column `id` stands twice",
            "[] unknown_column: column 4 has no name",
            "[custom.cvv] card_data: `cvv` names card data, which is never stored",
            "[global_updated_at] read_only: `global_updated_at` is kept by the service",
            "[shoe size] unknown_column: a lead has no field `shoe size` (name a field of your own `custom.<name>`)",
        ]
    );
    assert_eq!(
        refused(CallRecord::csv(&["id", "custom.a"]).map(drop)),
        ["[custom.a] unknown_column: a call has no field `custom.a`"]
    );
}

#[test]
fn a_row_is_checked_as_a_whole() {
    assert_eq!(
        refused_row::<LeadRecord>(
            "id,lat,lng,do_not_call,created_at,custom.note",
            "1.0,+5,9.5.1,maybe,2026-02-30 00:00:00,a\u{0}b"
        ),
        [
            "[id] wrong_type: expected an integer, found \"1.0\"",
            "[lat] wrong_type: expected a number, found \"+5\"",
            "[lng] wrong_type: \"9.5.1\" is not a number",
            "[do_not_call] wrong_type: expected `true` or `false`, found \"maybe\"",
            "[created_at] 8..10 no_such_time: there is no day 30 in February 2026",
            "[custom.note] 1..2 control_character: expected no control characters, found U+0000",
        ]
    );
    assert_eq!(
        refused_row::<LeadRecord>("id,city", "1"),
        [" wrong_number_of_cells: expected 2 cells as in the header, found 1"]
    );
}

#[test]
fn a_row_must_say_what_it_is_about() {
    assert_eq!(
        refused_row::<LeadRecord>("city,original_identifier", "Bonn,"),
        ["[id] no_key: expected an `id` or an `original_identifier`, to know which lead the row is about"]
    );
    assert_eq!(
        refused_row::<CampaignRecord>("active,name", "true,"),
        ["[id] no_key: expected an `id` or a `name`, to know which campaign the row is about"]
    );
    assert_eq!(
        refused_row::<CampaignLeadRecord>("lead_id,status", "1,new"),
        [
            "[id] no_key: expected an `id`, or a `lead_id` and a `campaign_id`, to know which campaign lead the row is about"
        ]
    );
    assert_eq!(
        refused_row::<CallRecord>("status", "busy"),
        ["[id] no_key: expected an `id` or an `original_identifier`, to know which call the row is about"]
    );
    assert_eq!(row::<LeadRecord>("original_identifier", "A-1").original_identifier, Some(Some("A-1".to_owned())));
}

#[test]
fn a_status_may_be_written_as_people_do() {
    let status = |cell: &str| row::<CampaignLeadRecord>("id,status", &format!("1,{cell}")).status;
    for (cell, name) in [
        ("no_answer", "no_answer"),
        ("No answer", "no_answer"),
        (" Left-Message / 2. ", "left_message_2"),
        ("RÜCKRUF", "ruckruf"),
        // What is a name stays as it is.
        ("_a__b", "_a__b"),
    ] {
        assert_eq!(status(cell).as_deref(), Some(name), "{cell}");
    }
    let long = "a b ".repeat(13);
    for (cell, found) in [("?!", "?!"), (&long, "a b a b a b a b a b a b a b a b a b a b …")] {
        assert_eq!(
            refused_row::<CampaignLeadRecord>("id,status", &format!("1,{cell}")),
            [format!(
                "[status] invalid_status: expected a status of 1 to 50 of the characters `a` to `z`, `0` to `9` and `_`, found {found:?}"
            )]
        );
    }
}
