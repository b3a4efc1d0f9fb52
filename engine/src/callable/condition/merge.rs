//! Merges the parts of a filter that share a verdict condition, so that it is evaluated once.
//!
//! By the distributive law `(V and a) or (V and b)` is `V and (a or b)`; the same holds with `and` and `or` exchanged.

use std::sync::Arc;

use crate::filter::predicate::Predicate;

/// The operator that joins the parts of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Junction {
    All,
    Any,
}

impl Junction {
    /// `All` for a condition, `Any` for its negation if each part is negated.
    pub fn all_if(is_so: bool) -> Self {
        if is_so { Self::All } else { Self::Any }
    }

    /// Joins the parts. A single part is returned as it is.
    pub fn of(self, mut parts: Vec<Predicate>) -> Predicate {
        match (self, parts.len()) {
            (_, 1) => parts.remove(0),
            (Self::All, _) => Predicate::All(parts),
            (Self::Any, _) => Predicate::Any(parts),
        }
    }

    /// Returns the parts of a predicate with this operator, or else the predicate itself.
    pub fn parts_of(self, predicate: Predicate) -> Vec<Predicate> {
        match (self, predicate) {
            (Self::All, Predicate::All(parts)) | (Self::Any, Predicate::Any(parts)) => parts,
            (_, other) => vec![other],
        }
    }

    fn other(self) -> Self {
        match self {
            Self::All => Self::Any,
            Self::Any => Self::All,
        }
    }
}

/// Pairs of verdict conditions of which exactly one holds.
pub type Opposites = Vec<(Arc<Predicate>, Arc<Predicate>)>;

/// Merges parts that share a verdict condition, and drops redundant parts.
pub fn merged(parts: Vec<Predicate>, junction: Junction, opposites: &Opposites) -> Vec<Predicate> {
    let inner = junction.other();
    let mut groups: Vec<(Option<Arc<Predicate>>, Vec<Predicate>)> = Vec::new();
    for part in parts {
        let verdict = verdict_of(&part, inner).cloned();
        let has_same = |(known, _): &&mut (Option<Arc<Predicate>>, Vec<Predicate>)| match (known, &verdict) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        match groups.iter_mut().find(has_same) {
            Some((_, group)) => group.push(part),
            None => groups.push((verdict, vec![part])),
        }
    }
    let merge = |(verdict, group): (Option<Arc<Predicate>>, Vec<Predicate>)| match verdict {
        Some(verdict) if group.len() > 1 => vec![merge_group(verdict, group, junction, opposites)],
        _ => group,
    };
    without_redundant(groups.into_iter().flat_map(merge).collect(), junction, opposites)
}

/// Drops redundant parts: `V or (V or a)` is `V or a`, and `V or (not V and a)` is `V or a`.
fn without_redundant(parts: Vec<Predicate>, junction: Junction, opposites: &Opposites) -> Vec<Predicate> {
    let inner = junction.other();
    let included: Vec<_> = parts.iter().flat_map(|part| included_in(part, junction)).cloned().collect();
    let alone = |part: &Predicate| if let Predicate::Verdict(one) = part { Some(Arc::clone(one)) } else { None };
    let alone: Vec<_> = parts.iter().filter_map(alone).collect();
    let is_opposite = |part: &Predicate| match part {
        Predicate::Verdict(one) => alone.iter().any(|other| are_opposite(one, other, opposites)),
        _ => false,
    };
    let mut left = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Predicate::Verdict(one) if included.iter().any(|other| Arc::ptr_eq(&one, other)) => {}
            part @ Predicate::Verdict(_) => left.push(part),
            part => {
                let rest: Vec<_> = inner.parts_of(part).into_iter().filter(|part| !is_opposite(part)).collect();
                left.extend(junction.parts_of(inner.of(rest)));
            }
        }
    }
    left
}

fn are_opposite(one: &Arc<Predicate>, other: &Arc<Predicate>, opposites: &Opposites) -> bool {
    let is_pair =
        |first, second| opposites.iter().any(|(one, other)| Arc::ptr_eq(one, first) && Arc::ptr_eq(other, second));
    is_pair(one, other) || is_pair(other, one)
}

/// Returns the verdict conditions that a verdict condition joins with this operator.
fn included_in(part: &Predicate, junction: Junction) -> impl Iterator<Item = &Arc<Predicate>> {
    let parts = match part {
        Predicate::Verdict(verdict) => match (&**verdict, junction) {
            (Predicate::All(parts), Junction::All) | (Predicate::Any(parts), Junction::Any) => &parts[..],
            _ => &[],
        },
        _ => &[],
    };
    parts.iter().filter_map(|part| if let Predicate::Verdict(verdict) = part { Some(verdict) } else { None })
}

/// Merges parts that share this verdict condition into one part.
fn merge_group(verdict: Arc<Predicate>, group: Vec<Predicate>, junction: Junction, opposites: &Opposites) -> Predicate {
    let inner = junction.other();
    let is_same = |part: &Predicate| matches!(part, Predicate::Verdict(one) if Arc::ptr_eq(one, &verdict));
    let mut rests = Vec::with_capacity(group.len());
    for part in group {
        let rest: Vec<_> = inner.parts_of(part).into_iter().filter(|part| !is_same(part)).collect();
        if rest.is_empty() {
            // The condition alone decides: `V or (V and a)` is `V`.
            return Predicate::Verdict(verdict);
        }
        rests.extend(junction.parts_of(inner.of(rest)));
    }
    let mut parts = inner.parts_of(junction.of(merged(rests, junction, opposites)));
    parts.insert(0, Predicate::Verdict(Arc::clone(&verdict)));
    inner.of(parts)
}

/// Returns the first verdict condition of a part: the part itself, or one of its own parts.
fn verdict_of(part: &Predicate, inner: Junction) -> Option<&Arc<Predicate>> {
    match (part, inner) {
        (Predicate::Verdict(verdict), _) => Some(verdict),
        (Predicate::All(parts), Junction::All) | (Predicate::Any(parts), Junction::Any) => {
            parts.iter().find_map(|part| if let Predicate::Verdict(verdict) = part { Some(verdict) } else { None })
        }
        _ => None,
    }
}
