// Route table of the panel: each page with its path, component, chunk and, if it is a main page, its navigation entry.
// `lazy.rs` makes the routes and the navigation from it, and `xtask/src/panel.rs` the script that preloads the first
// chunk. The first row that matches an address is shown.
//
// More chunks split the shared code into more pieces, which are fetched one by one and compress worse. Light pages
// therefore share a chunk, as long as no chunk is larger than the heaviest page's.

pages! {
    chunks: today, leads, calls, settings, imports;

    today: "/", today::TodayPage, in chunk today,
        entry { label: shell::today, icon: Glyph::Today, shortcut: "h", is_in_tab_bar: true };
    leads: "/leads", leads::list::LeadsPage, in chunk leads,
        entry { label: shell::leads, icon: Glyph::Leads, shortcut: "l", is_in_tab_bar: true };
    new_lead: "/leads/new", leads::lead::NewLeadPage, in chunk settings;
    lead: "/leads/:id", leads::lead::LeadPage, in chunk today;
    campaigns: "/campaigns", campaigns::list::CampaignsPage, in chunk today,
        entry { label: shell::campaigns, icon: Glyph::Campaigns, shortcut: "m", is_in_tab_bar: false };
    new_campaign: "/campaigns/new", campaigns::campaign::NewCampaignPage, in chunk today;
    campaign: "/campaigns/:id", campaigns::campaign::CampaignPage, in chunk today;
    calls: "/calls", calls::list::CallsPage, in chunk calls,
        entry { label: shell::calls, icon: Glyph::Calls, shortcut: "c", is_in_tab_bar: true };
    call: "/calls/:id", calls::call::CallPage, in chunk calls;
    transcripts: "/transcripts", transcripts::page::TranscriptsPage, in chunk imports,
        entry { label: common::transcripts, icon: Glyph::Transcripts, shortcut: "t", is_in_tab_bar: true };
    deliveries: "/deliveries", deliveries::list::DeliveriesPage, in chunk calls,
        entry { label: shell::deliveries, icon: Glyph::Deliveries, shortcut: "d", is_in_tab_bar: false };
    delivery: "/deliveries/:id", deliveries::delivery::DeliveryPage, in chunk calls;
    imports: "/imports/:id?", imports::page::ImportsPage, in chunk imports,
        entry { label: shell::imports, icon: Glyph::Imports, shortcut: "i", is_in_tab_bar: false };
    api_reference: "/api-reference", api_docs::ApiReferencePage, in chunk settings,
        entry { label: shell::api, icon: Glyph::Code, shortcut: "a", is_in_tab_bar: false };
    settings: "/settings/:tab?", settings::SettingsPage, in chunk settings,
        entry { label: shell::settings, icon: Glyph::Key, shortcut: "s", is_in_tab_bar: false };
}
