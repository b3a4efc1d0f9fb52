// Starts the panel. The names in braces are filled in when the panel is built, see xtask/src/panel.rs.
import init from "./{{panel}}/panel.js";

const boot = document.getElementById("boot");

try {
  await init();
  boot.remove();
} catch (error) {
  boot.classList.add("boot-failed");
  boot.setAttribute("role", "alert");
  document.getElementById("boot-message").textContent =
    "The panel could not start. Load the page again; if that does not help, use a current browser.";
  throw error;
}
