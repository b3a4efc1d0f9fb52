// Preloads the chunk of the current page in parallel with the main module, if a user is likely to be logged in: the login
// page needs no chunk. The build replaces the placeholders in braces; see xtask/src/panel.rs.

// Path and chunk of each page, from src/routes/table.rs.
const pages = {{pages}};

function matches(path) {
  const pattern = path.replace(/\/:\w+\?/g, "(/[^/]+)?").replace(/:\w+/g, "[^/]+");
  return new RegExp(`^${pattern}/?$`).test(location.pathname);
}

function isLoggedIn() {
  try {
    // src/api/session.rs stores it.
    return localStorage.getItem("leadscribe.logged-in") !== null;
  } catch {
    return false; // Storage is blocked.
  }
}

const page = isLoggedIn() && pages.find(([path]) => matches(path));
if (page) {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  link.crossOrigin = "anonymous";
  link.href = `/assets/{{panel}}/pack_${page[1]}.bin`;
  document.head.append(link);
}
