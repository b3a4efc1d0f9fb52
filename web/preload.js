// Asks for the modules of the page's part while the program itself still loads. The names in braces are filled in when the
// panel is built, see xtask/src/panel.rs.
const parts = {{parts}};

// The first words of an address, and the part that shows it, as src/parts.rs has them.
const places = {
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

const [place, id] = location.pathname.split("/").slice(1);
const ofLead = id === "new" ? "settings" : "today";
const part = place === "leads" && id ? ofLead : places[place];
for (const file of parts[part] ?? []) {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  link.crossOrigin = "anonymous";
  link.href = `/assets/{{panel}}/${file}`;
  document.head.append(link);
}
