//! Whether a credential meets the restrictions of what was requested, with the library's meaning of each tag.

use std::collections::{HashMap, HashSet};

use crate::error::{invalid, EngineError, Result};
use crate::wire::identifier::is_legacy_did;
use crate::wire::presentation::{Identifier, Presentation};
use crate::wire::request::{AttributeRequest, PresentationRequest, Query};

/// What is known of a presented credential.
pub struct Facts<'a> {
    pub schema_id: &'a str,
    pub schema_issuer_id: &'a str,
    pub schema_name: &'a str,
    pub schema_version: &'a str,
    pub issuer_id: &'a str,
    pub cred_def_id: &'a str,
}

/// Attribute names of the referent; Some(raw) where it was revealed.
type Revealed<'a> = HashMap<&'a str, Option<&'a str>>;

/// The attribute of an `attr::NAME::value` or `attr::NAME::marker` tag.
fn tagged_attribute(tag: &str) -> Option<&str> {
    let rest = tag.strip_prefix("attr::")?;
    let name = rest.strip_suffix("::value").or_else(|| rest.strip_suffix("::marker"))?;
    (!name.is_empty() && !name.contains(':')).then_some(name)
}

fn tag_holds(tag: &str, wanted: &str, facts: &Facts, revealed: &Revealed) -> bool {
    let is = |value: &str| value == wanted;
    match tag {
        "schema_id" => is(facts.schema_id),
        "schema_issuer_id" => is(facts.schema_issuer_id),
        "schema_issuer_did" => is_legacy_did(facts.schema_issuer_id) && is(facts.schema_issuer_id),
        "schema_name" => is(facts.schema_name),
        "schema_version" => is(facts.schema_version),
        "cred_def_id" => is(facts.cred_def_id),
        "issuer_id" => is(facts.issuer_id),
        "issuer_did" => is_legacy_did(facts.issuer_id) && is(facts.issuer_id),
        _ => match tagged_attribute(tag).and_then(|name| revealed.get(name)) {
            Some(Some(value)) => is(value),
            Some(None) => true,
            None => tag.starts_with("attr::") && tag.ends_with("::marker"),
        },
    }
}

fn holds(query: &Query, facts: &Facts, revealed: &Revealed) -> bool {
    match query {
        Query::And(parts) => parts.iter().all(|part| holds(part, facts, revealed)),
        Query::Or(parts) => parts.iter().any(|part| holds(part, facts, revealed)),
        Query::Not(part) => !holds(part, facts, revealed),
        Query::Equal(tag, wanted) => tag_holds(tag, wanted, facts, revealed),
        Query::NotEqual(tag, wanted) => !tag_holds(tag, wanted, facts, revealed),
        Query::In(tag, wanted) => wanted.iter().any(|value| tag_holds(tag, value, facts, revealed)),
        Query::Unsupported(_) => false,
    }
}

/// Rules on the request itself.
pub fn check_request(request: &PresentationRequest) -> Result<()> {
    if request.requested_attributes.is_empty() && request.requested_predicates.is_empty() {
        return invalid("the request asks for nothing");
    }
    if !matches!(request.ver.as_deref(), None | Some("1.0") | Some("2.0")) {
        return invalid("the request has an unknown version");
    }
    for attribute in request.requested_attributes.values() {
        let has_name = attribute.name.as_ref().is_some_and(|name| !name.is_empty());
        let has_names = attribute.names.as_ref().is_some_and(|names| !names.is_empty());
        if has_name == has_names {
            return invalid("a requested attribute needs either a name or names");
        }
    }
    if request.requested_predicates.values().any(|predicate| predicate.name.is_empty()) {
        return invalid("a requested predicate has no name");
    }
    let attributes = request.requested_attributes.values().filter_map(|attribute| attribute.restrictions.as_ref());
    let predicates = request.requested_predicates.values().filter_map(|predicate| predicate.restrictions.as_ref());
    let queries: Vec<&Query> = attributes.chain(predicates).collect();
    let tags: HashSet<&str> = queries.iter().flat_map(|query| query.tags()).collect();
    for (new, old) in [("issuer_id", "issuer_did"), ("schema_issuer_id", "schema_issuer_did")] {
        if tags.contains(new) && tags.contains(old) {
            return invalid(format!("the request mixes {new} and {old}"));
        }
    }
    Ok(())
}

fn is_self_attested(referent: &str, request: &AttributeRequest, presentation: &Presentation) -> bool {
    let free = request.restrictions.as_ref().is_none_or(Query::is_empty);
    free && presentation.requested_proof.self_attested_attrs.contains_key(referent)
}

fn index_of(referent: &str, presentation: &Presentation) -> Option<u32> {
    let proof = &presentation.requested_proof;
    let revealed = proof.revealed_attrs.get(referent).map(|revealed| revealed.sub_proof_index);
    let group = proof.revealed_attr_groups.get(referent).map(|group| group.sub_proof_index);
    let hidden = proof.unrevealed_attrs.get(referent).map(|hidden| hidden.sub_proof_index);
    revealed.or(group).or(hidden)
}

fn no_identifier(referent: &str) -> EngineError {
    EngineError::Invalid(format!("no credential stands behind {referent}"))
}

/// The revealed raw values of one requested attribute or group.
fn revealed_by<'a>(referent: &str, request: &'a AttributeRequest, presentation: &'a Presentation) -> Result<Revealed<'a>> {
    let proof = &presentation.requested_proof;
    if let Some(name) = &request.name {
        let raw = proof.revealed_attrs.get(referent).map(|revealed| revealed.raw.as_str());
        return Ok(HashMap::from([(name.as_str(), raw)]));
    }
    let Some(group) = proof.revealed_attr_groups.get(referent) else { return Err(no_identifier(referent)) };
    let names = request.names.iter().flatten();
    Ok(names.map(|name| (name.as_str(), group.values.get(name).map(|value| value.raw.as_str()))).collect())
}

/// The hidden attribute of a predicate and everything that the same credential reveals.
fn known_beside<'a>(name: &'a str, index: u32, request: &'a PresentationRequest, presentation: &'a Presentation) -> Revealed<'a> {
    let proof = &presentation.requested_proof;
    let mut known: Revealed = HashMap::from([(name, None)]);
    for (referent, revealed) in proof.revealed_attrs.iter().filter(|(_, revealed)| revealed.sub_proof_index == index) {
        let asked = request.requested_attributes.get(referent);
        if let Some(name) = asked.and_then(|asked| asked.name.as_deref()) {
            known.insert(name, Some(&revealed.raw));
        }
    }
    for group in proof.revealed_attr_groups.values().filter(|group| group.sub_proof_index == index) {
        known.extend(group.values.iter().map(|(name, value)| (name.as_str(), Some(value.raw.as_str()))));
    }
    known
}

/// Every requested attribute and predicate against the credential that answers it.
pub fn check<'a>(
    request: &PresentationRequest,
    presentation: &'a Presentation,
    facts_of: &dyn Fn(&'a Identifier) -> Result<Facts<'a>>,
) -> Result<()> {
    let identifier = |referent: &str, index: Option<u32>| {
        index.and_then(|index| presentation.identifiers.get(index as usize)).ok_or_else(|| no_identifier(referent))
    };
    for (referent, asked) in &request.requested_attributes {
        let Some(query) = &asked.restrictions else { continue };
        if is_self_attested(referent, asked, presentation) {
            continue;
        }
        let facts = facts_of(identifier(referent, index_of(referent, presentation))?)?;
        if !holds(query, &facts, &revealed_by(referent, asked, presentation)?) {
            return invalid(format!("the restrictions on {referent} are not met"));
        }
    }
    for (referent, asked) in &request.requested_predicates {
        let Some(query) = &asked.restrictions else { continue };
        let index = presentation.requested_proof.predicates.get(referent).map(|reference| reference.sub_proof_index);
        let facts = facts_of(identifier(referent, index)?)?;
        let known = known_beside(&asked.name, index.unwrap_or_default(), request, presentation);
        if !holds(query, &facts, &known) {
            return invalid(format!("the restrictions on {referent} are not met"));
        }
    }
    Ok(())
}
