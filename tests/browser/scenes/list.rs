//! Scenes in the order of docs/panel.md.

use super::Scene;
use super::Step::{Choose, Click, ClickIfVisible, Fill, RunScript, WaitFor};

pub(super) const SCENES: [Scene; 36] = [
    Scene {
        name: "today",
        title: "Today",
        description: "Calls and transcriptions per day, what is waiting or failed, which leads can be called now, and why \
                the others can't. Each figure links to the items it counts.",
        path: "/",
        ready_selector: "[data-test=bar]",
        steps: &[WaitFor("[data-test=day]")],
    },
    Scene {
        name: "leads",
        title: "Leads",
        description: "Filter by any field, in a form with nested \"any\" and \"all\" groups or as JSON. The filter is \
                explained in plain English as you type. Search by part of a name, number, email or city, or by ID. \
                Choose and reorder columns, and export results. The URL holds the whole view, so a link shows the \
                same list.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready_selector: "[data-test=lead-row]",
        steps: &[],
    },
    Scene {
        name: "leads-selected",
        title: "Bulk actions",
        description: "Select leads across pages, or all that match. The number of changes is shown before you confirm, and \
                every action can be undone for a week.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready_selector: "[data-test=lead-row]",
        steps: &[Click("[data-test=select-lead]"), WaitFor("[data-test=selection]")],
    },
    Scene {
        name: "recent-changes",
        title: "Recent bulk actions",
        description: "The bulk actions of the last week: who made them, how many leads changed, and a button to undo each.",
        path: "/leads",
        ready_selector: "[data-test=lead-row]",
        steps: &[Click("[data-test=recent-changes]"), WaitFor("[data-test=bulk-action]")],
    },
    Scene {
        name: "filter-errors",
        title: "Filter errors",
        description: "The panel runs the server's engine. It underlines a mistake before anything is sent, and says what \
                is expected and how to fix it.",
        path: "/leads",
        ready_selector: "[data-test=lead-row]",
        steps: &[
            ClickIfVisible(".filter-views button:last-child"),
            ClickIfVisible(".filter[data-json-hidden=true] [data-test=toggle-json]"),
            Fill("[data-test=filter-json]", "{\"country\":\"DE\",\"ctiy\":\"Köln\",\"limit\":\"50;0\"}"),
            WaitFor("[data-test=diagnostic]"),
            // Other scenes assume that the user has no stored preference.
            RunScript("localStorage.removeItem('leadscribe.filter-json-visible')"),
        ],
    },
    Scene {
        name: "views",
        title: "Saved views",
        description: "Save filter, columns and order under a name, for yourself or for all staff. Each view has its own \
                URL.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready_selector: "[data-test=lead-row]",
        steps: &[Click("[data-test=views] summary"), WaitFor("[data-test=view-save-as]")],
    },
    Scene {
        name: "columns",
        title: "Columns",
        description: "Choose and reorder the fields that the lead list shows. The URL and the browser remember the choice.",
        path: "/leads",
        ready_selector: "[data-test=lead-row]",
        steps: &[Click("[data-test=choose-columns]"), WaitFor("[data-test=column]")],
    },
    Scene {
        name: "lead",
        title: "Lead",
        description: "Everything about a lead, its calls and its changes. For each campaign: every reason why it can't be \
                called, until when, and the next possible call.",
        path: "/leads/927",
        ready_selector: "[data-test=lead-campaign]",
        steps: &[WaitFor("[data-test=reason]"), WaitFor("[data-test=call-row]")],
    },
    Scene {
        name: "lead-campaign",
        title: "Lead in a campaign",
        description: "The lead's status in a campaign, when to call back (in your own time zone), and its assignee.",
        path: "/leads/927",
        ready_selector: "[data-test=lead-campaign]",
        steps: &[Click("button[data-test=edit-campaign-lead]"), WaitFor("[data-test=campaign-lead-status]")],
    },
    Scene {
        name: "lead-new",
        title: "New lead",
        description: "The engine checks each field as you type.",
        path: "/leads/new",
        ready_selector: "[data-test=lead-form]",
        steps: &[Fill("#lead-first_name", "Ann"), Fill("#lead-email", "ann@"), WaitFor("[data-test=diagnostic]")],
    },
    Scene {
        name: "lead-edit",
        title: "Edit lead",
        description: "The engine checks each field as you type, and errors appear next to their field. You are asked \
                before you leave with unsaved changes.",
        path: "/leads/927",
        ready_selector: "[data-test=lead-campaign]",
        steps: &[
            Click("[data-test=edit-lead]"),
            WaitFor("[data-test=lead-form]"),
            RunScript("document.querySelector('[data-test=lead-form]').scrollIntoView()"),
        ],
    },
    Scene {
        name: "campaigns",
        title: "Campaigns",
        description: "All campaigns with their progress: done, called, new.",
        path: "/campaigns",
        ready_selector: "[data-test=progress] li",
        steps: &[],
    },
    Scene {
        name: "campaign",
        title: "Campaign",
        description: "Calling hours, attempts and freeze time. Before you save, the page shows how many leads become \
                callable.",
        path: "/campaigns/5",
        ready_selector: "[data-test=campaign-impact]",
        steps: &[Fill("[data-test=campaign-max-attempts]", "9"), WaitFor("[data-test=difference]")],
    },
    Scene {
        name: "campaign-new",
        title: "New campaign",
        description: "Only a name is required; every other setting shows its default. A name that is already taken is \
                reported next to the field.",
        path: "/campaigns/new",
        ready_selector: "[data-test=campaign-name]",
        steps: &[],
    },
    Scene {
        name: "calls",
        title: "Calls",
        description: "Filter calls by state, campaign, agent and time. Play recordings in the list, with their waveforms. \
                The state of a transcription updates by itself.",
        path: "/calls",
        ready_selector: "[data-test=call-row]",
        steps: &[WaitFor("[data-test=preview] .has-waveform path")],
    },
    Scene {
        name: "send-calls",
        title: "Send calls to speech recognition",
        description: "Send selected calls together. A dry run shows the result for each call and the total minutes before \
                anything is queued.",
        path: "/calls",
        ready_selector: "[data-test=call-row]",
        steps: &[
            Click("[data-id='150'] [data-test=select-call]"),
            Click("[data-id='148'] [data-test=select-call]"),
            Click("[data-id='139'] [data-test=select-call]"),
            Click("[data-id='138'] [data-test=select-call]"),
            Click("[data-id='137'] [data-test=select-call]"),
            Click("[data-test=send]"),
            Choose("[data-test=send-token]", "1"),
            Choose("[data-test=send-language]", "en"),
            Click("[data-test=send-check]"),
            WaitFor("[data-test=submission-result-row]"),
        ],
    },
    Scene {
        name: "call",
        title: "Call",
        description: "The recording next to its transcript, each side in its own column, with the current word \
                highlighted. Click a word to play from there. Search the transcript, and save it as WebVTT, SRT, \
                text or JSON.",
        path: "/calls/141",
        ready_selector: "[data-test=segment]",
        steps: &[
            WaitFor("[data-test=waveform] path"),
            // The audio plays, but is paused for the screenshot.
            Click("[data-test=toggle]"),
            RunScript(
                "const audio = document.querySelector('audio');
                audio.playbackRate = 0;
                audio.currentTime = 10.2",
            ),
            WaitFor(".is-spoken"),
        ],
    },
    Scene {
        name: "call-pending",
        title: "Call without a transcript",
        description: "The page says why there is no transcript yet, and shows it as soon as it is ready.",
        path: "/calls/148",
        ready_selector: "[data-test=empty-state]",
        steps: &[WaitFor("[data-test=waveform] path")],
    },
    Scene {
        name: "transcripts",
        title: "Transcripts",
        description: "Search words and phrases in all transcripts. Each match links to its time in the call. Results can \
                be delivered to a callback.",
        path: "/transcripts?search=delivery+address",
        ready_selector: "[data-test=passage]",
        steps: &[],
    },
    Scene {
        name: "deliver",
        title: "Deliver search results",
        description: "Send all matching transcripts to a URL, one request per call. The body is your own template, with a \
                live preview.",
        path: "/transcripts?search=delivery+address",
        ready_selector: "[data-test=passage]",
        steps: &[
            Click("[data-test=deliver]"),
            Fill("[data-test=callback-url]", "https://crm.example.com/hooks/transcripts"),
            WaitFor("[data-test=callback-preview]"),
        ],
    },
    Scene {
        name: "deliveries",
        title: "Deliveries",
        description: "All deliveries of transcripts, with their state and attempts.",
        path: "/deliveries",
        ready_selector: "[data-test=delivery-row]",
        steps: &[],
    },
    Scene {
        name: "delivery",
        title: "Delivery",
        description: "The result of each attempt and the time of the next. A failed delivery can be sent again.",
        path: "/deliveries/3",
        ready_selector: "[data-test=attempt]",
        steps: &[],
    },
    Scene {
        name: "imports",
        title: "Imports",
        description: "Drop a CSV file and follow its progress. Each rejected row says why; fix it in place and send it \
                again, or download all of them as a file. Before anything is written, a dry run shows how phone \
                numbers are read, which values are dropped, and which leads can't be called. An import can add its \
                leads to a campaign, and its report links to these leads.",
        path: "/imports",
        ready_selector: "[data-test=import-row]",
        steps: &[Click("[data-test=import-row] .link-button"), WaitFor("[data-test=rejected-row]")],
    },
    Scene {
        name: "api",
        title: "API",
        description: "The API reference, from the OpenAPI document. Try each operation with your session or an API key, and \
                copy the request for curl.",
        path: "/api-reference?operation=post_leads",
        ready_selector: ".opblock.is-open .try-out__btn",
        steps: &[
            Click(".opblock.is-open .try-out__btn"),
            WaitFor(".opblock.is-open .execute"),
            RunScript(
                "[...document.querySelectorAll('.opblock.is-open .tablinks')].filter(tab => tab.textContent === 'Schema')
                    .forEach(tab => tab.click())",
            ),
            WaitFor(".opblock.is-open .json-schema-2020-12"),
        ],
    },
    Scene {
        name: "api-response",
        title: "API: response",
        description: "The response of an operation, with the request for curl.",
        path: "/api-reference?operation=get_statuses",
        ready_selector: ".opblock.is-open .try-out__btn",
        steps: &[
            Click(".opblock.is-open .try-out__btn"),
            Click(".opblock.is-open .execute"),
            WaitFor(".live-responses-table .response .response-col_status"),
            RunScript("document.querySelector('.opblock.is-open .responses-wrapper').scrollIntoView()"),
        ],
    },
    Scene {
        name: "api-playground",
        title: "API: filter playground",
        description: "A filter, its explanation in plain English, the request for curl, and the first matching leads.",
        path: "/api-reference?tab=playground",
        ready_selector: "[data-test=apply]",
        steps: &[Click("[data-test=apply]"), WaitFor("[data-test=lead-row]")],
    },
    Scene {
        name: "settings-tokens",
        title: "Settings: speech tokens",
        description: "The credentials that own transcriptions. Create, rotate and revoke them; each has its own secret \
                for signing deliveries.",
        path: "/settings?tab=tokens",
        ready_selector: "[data-test=token-row]",
        steps: &[],
    },
    Scene {
        name: "settings-keys",
        title: "Settings: API keys",
        description: "Keys for programs, with scopes, expiry and last use. A key is shown only once.",
        path: "/settings?tab=keys",
        ready_selector: "[data-test=key-row]",
        steps: &[],
    },
    Scene {
        name: "settings-staff",
        title: "Settings: users",
        description: "User accounts and their roles. A new role or password ends all sessions of the account. You can also end \
                them with the button next to it.",
        path: "/settings?tab=users",
        ready_selector: "[data-test=user-row]",
        steps: &[],
    },
    Scene {
        name: "settings-statuses",
        title: "Settings: statuses",
        description: "The statuses of a lead in a campaign, in the order used in all lists, and whether a lead with a \
                status may be called.",
        path: "/settings?tab=statuses",
        ready_selector: "[data-test=status-row]",
        steps: &[],
    },
    Scene {
        name: "settings-endpoints",
        title: "Settings: webhooks",
        description: "The URLs that receive transcripts, with the number of pending, delivered and failed deliveries. \
                Each links to its deliveries.",
        path: "/settings?tab=endpoints",
        ready_selector: "[data-test=endpoint-row]",
        steps: &[],
    },
    Scene {
        name: "settings-audit",
        title: "Settings: audit log",
        description: "Who did what and when, including every time a transcript was read.",
        path: "/settings?tab=audit",
        ready_selector: "[data-test=audit-row]",
        steps: &[],
    },
    Scene {
        name: "settings-retention",
        title: "Settings: retention",
        description: "How long each kind of data is kept, what is deleted then, and the option that changes it.",
        path: "/settings?tab=retention",
        ready_selector: "[data-test=retention]",
        steps: &[],
    },
    Scene {
        name: "settings-account",
        title: "Settings: your account",
        description: "Your account, your password, and your sessions. A new password ends all other sessions. End one \
                session, or all but the current one.",
        path: "/settings?tab=account",
        ready_selector: "[data-test=change-password]",
        steps: &[],
    },
    Scene {
        name: "palette",
        title: "Command palette",
        description: "Ctrl K or ⌘ K: type a few letters to open any page, lead or call, or to run a command.",
        path: "/leads",
        ready_selector: "[data-test=lead-row]",
        steps: &[
            Click("[data-test=open-palette]"),
            Fill("[data-test=palette-input]", "14"),
            WaitFor("[data-test=palette-option]"),
        ],
    },
    Scene {
        name: "not-found",
        title: "Not found",
        description: "An unknown URL shows an error and links to other pages.",
        path: "/nowhere",
        ready_selector: "[data-test=empty-state]",
        steps: &[],
    },
];
