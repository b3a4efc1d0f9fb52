//! Finds operations by path and method.

use std::collections::BTreeMap;

use http::Method;
use matchit::Router;

use super::routes::Route;

/// The operations of one path, by method.
struct PathEntry {
    template: String,
    routes: Vec<Route>,
}

/// Router over all operations.
pub struct RouteTable {
    router: Router<usize>,
    entries: Vec<PathEntry>,
}

/// The operations of the matched path.
pub struct RouteMatch<'table, 'path> {
    entry: &'table PathEntry,
    params: matchit::Params<'table, 'path>,
}

impl RouteTable {
    /// Groups operations by path.
    ///
    /// # Panics
    /// If two paths conflict or an operation appears twice. A test builds the whole table.
    pub fn new(routes: Vec<Route>) -> Self {
        let mut by_path = BTreeMap::<String, Vec<Route>>::new();
        for route in routes {
            let same_path = by_path.entry(route.path.clone()).or_default();
            assert!(
                same_path.iter().all(|other| other.method != route.method),
                "{} {} is listed twice",
                route.method,
                route.path
            );
            same_path.push(route);
        }
        let entries: Vec<_> = by_path.into_iter().map(|(template, routes)| PathEntry { template, routes }).collect();
        let mut router = Router::new();
        for (index, entry) in entries.iter().enumerate() {
            router.insert(entry.template.clone(), index).expect("the paths don't conflict");
        }
        Self { router, entries }
    }

    /// Returns the operations of a path.
    pub fn find<'path>(&self, path: &'path str) -> Option<RouteMatch<'_, 'path>> {
        let matched = self.router.at(path).ok()?;
        Some(RouteMatch { entry: &self.entries[*matched.value], params: matched.params })
    }
}

impl<'table> RouteMatch<'table, '_> {
    /// Path template, as logs and metrics show it.
    pub fn template(&self) -> &'table str {
        &self.entry.template
    }

    /// Returns the operation for a method.
    pub fn route(&self, method: &Method) -> Option<&'table Route> {
        self.entry.routes.iter().find(|route| route.method == *method)
    }

    /// Returns the methods that the path supports, for `Allow`. `GET` implies `HEAD`.
    pub fn allowed_methods(&self) -> String {
        let mut methods = Vec::new();
        for route in &self.entry.routes {
            methods.push(route.method.as_str());
            if route.method == Method::GET {
                methods.push("HEAD");
            }
        }
        methods.push("OPTIONS");
        methods.join(", ")
    }

    /// Path parameters, percent-encoded.
    pub fn params(&self) -> impl Iterator<Item = (&str, &str)> {
        self.params.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::RouteTable;
    use crate::http::routes::all;

    #[test]
    fn matches_paths_unambiguously() {
        let table = RouteTable::new(all());
        let template = |path| table.find(path).map(|route_match| route_match.template().to_owned());
        assert_eq!(template("/api/leads/17").as_deref(), Some("/api/leads/{lead_id}"));
        assert_eq!(template("/api/leads/extended-data").as_deref(), Some("/api/leads/extended-data"));
        assert_eq!(template("/api/leads/export").as_deref(), Some("/api/leads/export"));
        assert_eq!(template("/api/leads/limit/500;0").as_deref(), Some("/api/leads/{key}/{*rest}"));
        assert_eq!(
            template("/api/leads/created_at/2023-12-21%2013:15:11;>").as_deref(),
            Some("/api/leads/{key}/{*rest}")
        );
        assert_eq!(template("/api/leads/"), None);
        assert_eq!(template("/api/Leads"), None);
    }
}
