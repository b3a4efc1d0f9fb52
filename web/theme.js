// Applies the stored theme before the first paint; src/state/theme.rs stores it.
try {
  const theme = localStorage.getItem("leadscribe.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system theme applies.
}
