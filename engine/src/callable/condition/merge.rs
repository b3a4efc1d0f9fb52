//! Merges the parts of a filter that share a verdict condition, so that it is evaluated once.
//!
//! By the distributive law `(V and a) or (V and b)` is `V and (a or b)`; the same holds with `and` and `or` exchanged.

use std::sync::Arc;

use crate::filter::ast::Junction;
use crate::filter::predicate::Predicate;

impl Junction {
    /// Returns `All` for a condition, and `Any` for its negation, in which each part is negated too (De Morgan).
    pub(super) fn all_if(is_positive: bool) -> Self {
        if is_positive { Self::All } else { Self::Any }
    }

    /// Joins the parts. A single part is returned as it is.
    pub(super) fn join(self, mut parts: Vec<Predicate>) -> Predicate {
        match (self, parts.len()) {
            (_, 1) => parts.remove(0),
            (Self::All, _) => Predicate::All(parts),
            (Self::Any, _) => Predicate::Any(parts),
        }
    }

    /// Returns the parts of a predicate with this operator, or else the predicate itself.
    pub(super) fn split(self, predicate: Predicate) -> Vec<Predicate> {
        match (self, predicate) {
            (Self::All, Predicate::All(parts)) | (Self::Any, Predicate::Any(parts)) => parts,
            (_, other) => vec![other],
        }
    }

    fn opposite(self) -> Self {
        match self {
            Self::All => Self::Any,
            Self::Any => Self::All,
        }
    }
}

/// Pairs of verdict conditions of which exactly one holds.
pub type Opposites = Vec<(Arc<Predicate>, Arc<Predicate>)>;

/// Merges parts that share a verdict condition, and drops redundant parts.
pub fn merge_parts(parts: Vec<Predicate>, junction: Junction, opposites: &Opposites) -> Vec<Predicate> {
    let inner_junction = junction.opposite();
    let mut groups: Vec<(Option<Arc<Predicate>>, Vec<Predicate>)> = Vec::new();
    for part in parts {
        let verdict = find_verdict(&part, inner_junction).cloned();
        let has_same_verdict =
            |(existing, _): &&mut (Option<Arc<Predicate>>, Vec<Predicate>)| match (existing, &verdict) {
                (Some(left), Some(right)) => Arc::ptr_eq(left, right),
                _ => false,
            };
        match groups.iter_mut().find(has_same_verdict) {
            Some((_, group)) => group.push(part),
            None => groups.push((verdict, vec![part])),
        }
    }
    let merge = |(verdict, group): (Option<Arc<Predicate>>, Vec<Predicate>)| match verdict {
        Some(verdict) if group.len() > 1 => vec![merge_group(verdict, group, junction, opposites)],
        _ => group,
    };
    drop_redundant(groups.into_iter().flat_map(merge).collect(), junction, opposites)
}

/// Drops redundant parts: `V or (V or a)` is `V or a`, and `V or (not V and a)` is `V or a`.
fn drop_redundant(parts: Vec<Predicate>, junction: Junction, opposites: &Opposites) -> Vec<Predicate> {
    let inner_junction = junction.opposite();
    let included: Vec<_> = parts.iter().flat_map(|part| nested_verdicts(part, junction)).cloned().collect();
    let verdicts =
        |part: &Predicate| if let Predicate::Verdict(verdict) = part { Some(Arc::clone(verdict)) } else { None };
    let verdicts: Vec<_> = parts.iter().filter_map(verdicts).collect();
    let is_opposite = |part: &Predicate| match part {
        Predicate::Verdict(verdict) => verdicts.iter().any(|other| are_opposite(verdict, other, opposites)),
        _ => false,
    };
    let mut remaining_parts = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Predicate::Verdict(verdict) if included.iter().any(|other| Arc::ptr_eq(&verdict, other)) => {}
            part @ Predicate::Verdict(_) => remaining_parts.push(part),
            part => {
                let remaining: Vec<_> =
                    inner_junction.split(part).into_iter().filter(|part| !is_opposite(part)).collect();
                remaining_parts.extend(junction.split(inner_junction.join(remaining)));
            }
        }
    }
    remaining_parts
}

fn are_opposite(left: &Arc<Predicate>, right: &Arc<Predicate>, opposites: &Opposites) -> bool {
    let is_pair =
        |first, second| opposites.iter().any(|(left, right)| Arc::ptr_eq(left, first) && Arc::ptr_eq(right, second));
    is_pair(left, right) || is_pair(right, left)
}

/// Returns the verdict conditions directly inside a part, if the part is a verdict condition that joins its own parts with `junction`.
fn nested_verdicts(part: &Predicate, junction: Junction) -> impl Iterator<Item = &Arc<Predicate>> {
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
    let inner_junction = junction.opposite();
    let is_same = |part: &Predicate| matches!(part, Predicate::Verdict(other) if Arc::ptr_eq(other, &verdict));
    let mut alternatives = Vec::with_capacity(group.len());
    for part in group {
        let remaining: Vec<_> = inner_junction.split(part).into_iter().filter(|part| !is_same(part)).collect();
        if remaining.is_empty() {
            // The condition alone decides: `V or (V and a)` is `V`.
            return Predicate::Verdict(verdict);
        }
        alternatives.extend(junction.split(inner_junction.join(remaining)));
    }
    let mut parts = inner_junction.split(junction.join(merge_parts(alternatives, junction, opposites)));
    parts.insert(0, Predicate::Verdict(Arc::clone(&verdict)));
    inner_junction.join(parts)
}

/// Returns the first verdict condition in a part: the part itself, or one of the parts that it joins with `junction`.
fn find_verdict(part: &Predicate, junction: Junction) -> Option<&Arc<Predicate>> {
    match (part, junction) {
        (Predicate::Verdict(verdict), _) => Some(verdict),
        (Predicate::All(parts), Junction::All) | (Predicate::Any(parts), Junction::Any) => {
            parts.iter().find_map(|part| if let Predicate::Verdict(verdict) = part { Some(verdict) } else { None })
        }
        _ => None,
    }
}
