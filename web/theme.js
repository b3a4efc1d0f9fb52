// The theme chosen in this browser, before the first paint; src/theme.rs keeps it.
try {
  const theme = localStorage.getItem("leadscribe.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's theme stands.
}
