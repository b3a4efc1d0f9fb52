// Starts the panel. The build replaces the placeholders in braces; see xtask/src/panel.rs.
import init, { show } from "./{{panel}}/panel.js";

const boot = document.getElementById("boot");

try {
  const begun = init();
  // The first date formatting loads the browser's calendar data. Trigger it here, in parallel with the download.
  new Intl.DateTimeFormat().format();
  await begun;
  // Yields to pending input events and the next frame.
  await new Promise((resolve) => setTimeout(resolve));
  show();
  boot.remove();
} catch (error) {
  boot.classList.add("boot-failed");
  boot.setAttribute("role", "alert");
  document.getElementById("boot-message").textContent =
    "Couldn't start the panel. Reload the page. If that doesn't help, update your browser.";
  throw error;
}
