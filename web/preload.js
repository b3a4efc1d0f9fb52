// Preloads the modules of the current page in parallel with the main module. The build replaces the placeholders in braces;
// see xtask/src/panel.rs.
const parts = {{parts}};

// First path segment, and the lazy part that renders it. Must match src/lazy_routes.rs.
const partOfPath = {
  "": "today",
  leads: "leads",
  campaigns: "today",
  calls: "calls",
  transcripts: "imports",
  deliveries: "calls",
  imports: "imports",
  settings: "settings",
  "api-reference": "settings",
};

const [section, id] = location.pathname.split("/").slice(1);
const partOfLead = id === "new" ? "settings" : "today";
const part = section === "leads" && id ? partOfLead : partOfPath[section];
for (const file of parts[part] ?? []) {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  link.crossOrigin = "anonymous";
  link.href = `/assets/{{panel}}/${file}`;
  document.head.append(link);
}
