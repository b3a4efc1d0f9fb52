//! Pages in the order of the documents.

use super::Sight;
use super::Step::{Choose, Click, Fill, Run, See, Turn};

pub(super) const SIGHTS: [Sight; 36] = [
    Sight {
        name: "today",
        title: "Today",
        about: "Calls and transcriptions per day, what is waiting or failed, which leads can be called now, and why \
                the others can't. Each figure links to the items it counts.",
        path: "/",
        ready: "[data-test=bar]",
        steps: &[See("[data-test=day]")],
    },
    Sight {
        name: "leads",
        title: "Leads",
        about: "Filter by any field, in a form with nested \"any\" and \"all\" groups or as JSON. The filter is \
                explained in plain English as you type. Search by part of a name, number, email or town, or by ID. \
                Choose and reorder columns, and export results. The URL holds the whole view, so a link shows the \
                same list.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready: "[data-test=lead-row]",
        steps: &[],
    },
    Sight {
        name: "leads-selected",
        title: "Bulk actions",
        about: "Select leads across pages, or all that match. The number of changes is shown before you confirm, and \
                every action can be undone for a week.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready: "[data-test=lead-row]",
        steps: &[Click("[data-test=select-lead]"), See("[data-test=selection]")],
    },
    Sight {
        name: "past-changes",
        title: "Recent bulk changes",
        about: "The bulk changes of the last week: who made them, how many leads changed, and a button to undo each.",
        path: "/leads",
        ready: "[data-test=lead-row]",
        steps: &[Click("[data-test=look-back]"), See("[data-test=past-change]")],
    },
    Sight {
        name: "filter-fault",
        title: "Filter errors",
        about: "The panel runs the server's engine. It underlines a mistake before anything is sent, and says what \
                is expected and how to fix it.",
        path: "/leads",
        ready: "[data-test=lead-row]",
        steps: &[
            Turn(".filter-views button:last-child"),
            Turn(".filter[data-away=true] [data-test=fold-json]"),
            Fill("[data-test=filter-json]", "{\"country\":\"DE\",\"ctiy\":\"Köln\",\"limit\":\"50;0\"}"),
            See("[data-test=fault]"),
            // Other steps assume that the user has no stored preference.
            Run("localStorage.removeItem('filter-json-beside')"),
        ],
    },
    Sight {
        name: "leads-scroll",
        title: "All leads in one list",
        about: "\"Rows: All\" shows every matching lead in one scrollable list. The URL keeps the scroll position.",
        path: "/leads?row=2000",
        ready: "[data-test=lead-scroll] [data-test=lead-row]",
        steps: &[],
    },
    Sight {
        name: "views",
        title: "Saved views",
        about: "Save filter, columns and order under a name, for yourself or for all staff. Each view has its own \
                URL.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready: "[data-test=lead-row]",
        steps: &[Click("[data-test=views] summary"), See("[data-test=view-save-as]")],
    },
    Sight {
        name: "columns",
        title: "Columns",
        about: "Choose and reorder the fields that the lead list shows. The URL and the browser remember the choice.",
        path: "/leads",
        ready: "[data-test=lead-row]",
        steps: &[Click("[data-test=choose-columns]"), See("[data-test=column]")],
    },
    Sight {
        name: "lead",
        title: "Lead",
        about: "Everything about a lead, its calls and its changes. For each campaign: every reason why it can't be \
                called, until when, and the next possible call.",
        path: "/leads/927",
        ready: "[data-test=lead-campaign]",
        steps: &[See("[data-test=reason]"), See("[data-test=call-row]")],
    },
    Sight {
        name: "lead-campaign",
        title: "Lead in a campaign",
        about: "The lead's status in a campaign, when to call back (in your own time zone), and who does it.",
        path: "/leads/927",
        ready: "[data-test=lead-campaign]",
        steps: &[Click("button[data-test=change-in-campaign]"), See("[data-test=in-status]")],
    },
    Sight {
        name: "lead-new",
        title: "New lead",
        about: "The engine checks each field as you type.",
        path: "/leads/new",
        ready: "[data-test=lead-form]",
        steps: &[Fill("#lead-first_name", "Ann"), Fill("#lead-email", "ann@"), See("[data-test=fault]")],
    },
    Sight {
        name: "lead-edit",
        title: "Edit lead",
        about: "The engine checks each field as you type, and errors appear next to their field. Leaving with \
                unsaved changes asks first.",
        path: "/leads/927",
        ready: "[data-test=lead-campaign]",
        steps: &[
            Click("[data-test=edit-lead]"),
            See("[data-test=lead-form]"),
            Run("document.querySelector('[data-test=lead-form]').scrollIntoView()"),
        ],
    },
    Sight {
        name: "campaigns",
        title: "Campaigns",
        about: "All campaigns with their progress: done, called, new.",
        path: "/campaigns",
        ready: "[data-test=progress] li",
        steps: &[],
    },
    Sight {
        name: "campaign",
        title: "Campaign",
        about: "Calling hours, attempts and freeze time. Before you save, the page shows how many leads become \
                callable.",
        path: "/campaigns/5",
        ready: "[data-test=effect]",
        steps: &[Fill("[data-test=campaign-max-attempts]", "9"), See("[data-test=difference]")],
    },
    Sight {
        name: "campaign-new",
        title: "New campaign",
        about: "Only a name is required; every other setting shows its default. A name that is already taken is \
                reported at its field.",
        path: "/campaigns/new",
        ready: "[data-test=campaign-name]",
        steps: &[],
    },
    Sight {
        name: "calls",
        title: "Calls",
        about: "Filter calls by state, campaign, agent and time. Play recordings in the list, with their waveforms. \
                The state of a transcription updates by itself.",
        path: "/calls",
        ready: "[data-test=call-row]",
        steps: &[See("[data-test=preview] .is-drawn path")],
    },
    Sight {
        name: "send-calls",
        title: "Send calls to speech recognition",
        about: "Send selected calls together. A dry run shows the result for each call and the total minutes before \
                anything is queued.",
        path: "/calls",
        ready: "[data-test=call-row]",
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
            See("[data-test=outcome-row]"),
        ],
    },
    Sight {
        name: "call",
        title: "Call",
        about: "The recording next to its transcript, each side in its own column, with the current word \
                highlighted. Click a word to play from there. Search the transcript, and save it as WebVTT, SRT, \
                text or JSON.",
        path: "/calls/141",
        ready: "[data-test=segment]",
        steps: &[
            See("[data-test=waveform] path"),
            // The audio plays, but is paused for the screenshot.
            Click("[data-test=toggle]"),
            Run("const audio = document.querySelector('audio');
                audio.playbackRate = 0;
                audio.currentTime = 10.2"),
            See(".is-spoken"),
        ],
    },
    Sight {
        name: "call-pending",
        title: "Call without a transcript",
        about: "The page says why there is no transcript yet, and shows it as soon as it is ready.",
        path: "/calls/148",
        ready: "[data-test=empty]",
        steps: &[See("[data-test=waveform] path")],
    },
    Sight {
        name: "transcripts",
        title: "Transcripts",
        about: "Search words and phrases in all transcripts. Each match links to its moment in the call. Results can \
                be delivered to a callback.",
        path: "/transcripts?words=delivery+address",
        ready: "[data-test=passage]",
        steps: &[],
    },
    Sight {
        name: "deliver",
        title: "Deliver search results",
        about: "Send all matching transcripts to a URL, one request per call. The body is your own template, with a \
                live preview.",
        path: "/transcripts?words=delivery+address",
        ready: "[data-test=passage]",
        steps: &[
            Click("[data-test=deliver]"),
            Fill("[data-test=callback-url]", "https://crm.example.com/hooks/transcripts"),
            See("[data-test=callback-preview]"),
        ],
    },
    Sight {
        name: "deliveries",
        title: "Deliveries",
        about: "All deliveries of transcripts, with their state and attempts.",
        path: "/deliveries",
        ready: "[data-test=delivery-row]",
        steps: &[],
    },
    Sight {
        name: "delivery",
        title: "Delivery",
        about: "The result of each attempt and the time of the next. A failed delivery can be sent again.",
        path: "/deliveries/3",
        ready: "[data-test=attempt]",
        steps: &[],
    },
    Sight {
        name: "imports",
        title: "Imports",
        about: "Drop a CSV file and follow its progress. Each rejected row says why; fix it in place and send it \
                again, or download all of them as a file. Before anything is written, the counts show what was read \
                from phone numbers, what was dropped, and which leads can't be called. An import can add its leads \
                to a campaign, and links to them.",
        path: "/imports",
        ready: "[data-test=import-row]",
        steps: &[Click("[data-test=import-row] .link-button"), See("[data-test=rejected-row]")],
    },
    Sight {
        name: "api",
        title: "API",
        about: "The API reference, generated from the OpenAPI document. Try each operation with your session or an \
                API key, and copy it as curl, JavaScript or Python.",
        path: "/api-reference?operation=post_leads",
        ready: "[data-test=send]",
        steps: &[],
    },
    Sight {
        name: "api-playground",
        title: "API: filter playground",
        about: "A filter, its explanation in plain English, the request as code, and the first matching leads.",
        path: "/api-reference?tab=playground",
        ready: "[data-test=apply]",
        steps: &[Click("[data-test=apply]"), See("[data-test=lead-row]")],
    },
    Sight {
        name: "settings-tokens",
        title: "Settings: speech tokens",
        about: "The credentials that own transcriptions. Create, rotate and revoke them; each has the secret that \
                signs its deliveries.",
        path: "/settings?tab=tokens",
        ready: "[data-test=token-row]",
        steps: &[],
    },
    Sight {
        name: "settings-keys",
        title: "Settings: API keys",
        about: "Keys for programs, with scopes, expiry and last use. A key is shown only once.",
        path: "/settings?tab=keys",
        ready: "[data-test=key-row]",
        steps: &[],
    },
    Sight {
        name: "settings-staff",
        title: "Settings: staff",
        about: "Staff accounts and their roles. A new role or password ends all sessions of the account, and so does \
                the button next to it.",
        path: "/settings?tab=users",
        ready: "[data-test=user-row]",
        steps: &[],
    },
    Sight {
        name: "settings-statuses",
        title: "Settings: statuses",
        about: "The statuses of a lead in a campaign, in the order used in all lists, and whether a lead with a \
                status may be called.",
        path: "/settings?tab=statuses",
        ready: "[data-test=status-row]",
        steps: &[],
    },
    Sight {
        name: "settings-endpoints",
        title: "Settings: webhooks",
        about: "The URLs that transcripts were delivered to, with the number of waiting, delivered and failed ones. \
                Each links to its deliveries.",
        path: "/settings?tab=endpoints",
        ready: "[data-test=endpoint-row]",
        steps: &[],
    },
    Sight {
        name: "settings-audit",
        title: "Settings: audit log",
        about: "Who did what and when, including every time a transcript was read.",
        path: "/settings?tab=audit",
        ready: "[data-test=audit-row]",
        steps: &[],
    },
    Sight {
        name: "settings-retention",
        title: "Settings: retention",
        about: "How long each kind of data is kept, what is deleted then, and the option that changes it.",
        path: "/settings?tab=retention",
        ready: "[data-test=retention]",
        steps: &[],
    },
    Sight {
        name: "settings-account",
        title: "Settings: your account",
        about: "Your account, your password, and your sessions. A new password ends all other sessions. End one \
                session, or all but the current one.",
        path: "/settings?tab=account",
        ready: "[data-test=change-password]",
        steps: &[],
    },
    Sight {
        name: "palette",
        title: "Command palette",
        about: "Ctrl K or ⌘ K: type a few letters to open any page, lead or call, or to run a command.",
        path: "/leads",
        ready: "[data-test=lead-row]",
        steps: &[
            Click("[data-test=open-palette]"),
            Fill("[data-test=palette-input]", "14"),
            See("[data-test=palette-option]"),
        ],
    },
    Sight {
        name: "not-found",
        title: "Not found",
        about: "An unknown URL shows an error and links to other pages.",
        path: "/nowhere",
        ready: "[data-test=empty]",
        steps: &[],
    },
];
