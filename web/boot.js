// Starts the panel. The build replaces the placeholders in braces; see xtask/src/panel.rs.
import init, { mount_panel } from "./{{panel}}/panel.js";

const loadingScreen = document.getElementById("loading-screen");

try {
  const initialized = init();
  // The first date formatting loads the browser's calendar data. Trigger it here, in parallel with the download.
  new Intl.DateTimeFormat().format();
  await initialized;
  // Yields to pending input events and the next frame.
  await new Promise((resolve) => setTimeout(resolve));
  mount_panel();
  loadingScreen.remove();
} catch (error) {
  loadingScreen.classList.add("has-failed");
  loadingScreen.setAttribute("role", "alert");
  document.getElementById("loading-screen-message").textContent =
    "Couldn't start the panel. Reload the page. If that doesn't help, update your browser.";
  throw error;
}
