// Preloads the part of the current page in parallel with the main module. The build replaces the placeholders in braces;
// see xtask/src/panel.rs.

// First path segment, and the lazy part that renders it. Must match src/routes/parts.rs. The login page needs none.
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
if (part) {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  link.crossOrigin = "anonymous";
  link.href = `/assets/{{panel}}/pack_${part}.bin`;
  document.head.append(link);
}
