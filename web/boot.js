// Starts the panel. The names in braces are filled in when the panel is built, see xtask/src/panel.rs.
import init, { show } from "./{{panel}}/panel.js";

const boot = document.getElementById("boot");

try {
  const begun = init();
  // The browser reads its calendars when it is first asked for a date: here nothing waits for that.
  new Intl.DateTimeFormat().format();
  await begun;
  // In a task of its own: what was pressed meanwhile, and the next frame, needn't wait for both.
  await new Promise((resolve) => setTimeout(resolve));
  show();
  boot.remove();
} catch (error) {
  boot.classList.add("boot-failed");
  boot.setAttribute("role", "alert");
  document.getElementById("boot-message").textContent =
    "The panel could not start. Load the page again; if that does not help, use a current browser.";
  throw error;
}
