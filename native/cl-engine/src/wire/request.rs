//! A presentation request and its restrictions (WQL), read as libanoncreds reads them.

use std::collections::HashMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::number::Nonce;
use super::presentation::PredicateType;

/// Read for its form only: revocable credentials are left to the library.
#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct NonRevokedInterval {
    #[serde(default, rename = "from")]
    _from: Option<u64>,
    #[serde(default, rename = "to")]
    _to: Option<u64>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct PresentationRequest {
    pub nonce: Nonce,
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "version")]
    _version: String,
    #[serde(default)]
    pub ver: Option<String>,
    #[serde(default)]
    pub requested_attributes: HashMap<String, AttributeRequest>,
    #[serde(default)]
    pub requested_predicates: HashMap<String, PredicateRequest>,
    #[serde(default, rename = "non_revoked")]
    _non_revoked: Option<NonRevokedInterval>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct AttributeRequest {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub names: Option<Vec<String>>,
    #[serde(default)]
    pub restrictions: Option<Query>,
    #[serde(default, rename = "non_revoked")]
    _non_revoked: Option<NonRevokedInterval>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct PredicateRequest {
    pub name: String,
    #[serde(deserialize_with = "comparison")]
    pub p_type: PredicateType,
    pub p_value: i32,
    #[serde(default)]
    pub restrictions: Option<Query>,
    #[serde(default, rename = "non_revoked")]
    _non_revoked: Option<NonRevokedInterval>,
}

fn comparison<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PredicateType, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        ">=" => Ok(PredicateType::GE),
        "<=" => Ok(PredicateType::LE),
        ">" => Ok(PredicateType::GT),
        "<" => Ok(PredicateType::LT),
        other => Err(D::Error::custom(format!("unknown comparison {other}"))),
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Query {
    And(Vec<Query>),
    Or(Vec<Query>),
    Not(Box<Query>),
    Equal(String, String),
    NotEqual(String, String),
    In(String, Vec<String>),
    /// Parses in libanoncreds, and then never holds.
    Unsupported(Vec<String>),
}

impl Query {
    /// The tags that occur anywhere in the query.
    pub fn tags(&self) -> Vec<&str> {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Query::tags).collect(),
            Self::Not(part) => part.tags(),
            Self::Equal(tag, _) | Self::NotEqual(tag, _) | Self::In(tag, _) => vec![tag],
            Self::Unsupported(tags) => tags.iter().map(String::as_str).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Self::And(parts) | Self::Or(parts) if parts.is_empty())
    }
}

impl<'de> Deserialize<'de> for Query {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(map) => parse_map(map, 0),
            Value::Array(alternatives) => parse_alternatives(alternatives),
            _ => Err("restrictions are neither an object nor an array".into()),
        }
        .map_err(D::Error::custom)
    }
}

/// The old form: a list of alternatives whose null members do not count.
fn parse_alternatives(alternatives: Vec<Value>) -> Result<Query, String> {
    let mut kept = Vec::new();
    for alternative in alternatives {
        let Value::Object(map) = alternative else { return Err("a restriction is not an object".into()) };
        let map: Map<String, Value> = map.into_iter().filter(|(_, value)| !value.is_null()).collect();
        if !map.is_empty() {
            kept.push(Value::Object(map));
        }
    }
    let mut map = Map::new();
    map.insert("$or".into(), Value::Array(kept));
    parse_map(map, 0)
}

const DEEPEST: usize = 32;

fn parse_map(map: Map<String, Value>, depth: usize) -> Result<Query, String> {
    if depth > DEEPEST {
        return Err("restrictions are nested too deeply".into());
    }
    let mut parts = Vec::new();
    for (key, value) in map {
        if let Some(part) = parse_member(key, value, depth)? {
            parts.push(part);
        }
    }
    match <[Query; 1]>::try_from(parts) {
        Ok([single]) => Ok(single),
        Err(parts) => Ok(Query::And(parts)),
    }
}

fn parse_member(key: String, value: Value, depth: usize) -> Result<Option<Query>, String> {
    match (key.as_str(), value) {
        ("$and" | "$or", Value::Array(values)) if values.is_empty() => Ok(None),
        ("$and", Value::Array(values)) => Ok(Some(Query::And(parse_list(values, depth)?))),
        ("$or", Value::Array(values)) => Ok(Some(Query::Or(parse_list(values, depth)?))),
        ("$not", Value::Object(map)) => Ok(Some(Query::Not(Box::new(parse_map(map, depth + 1)?)))),
        ("$exist", Value::String(tag)) => Ok(Some(Query::Unsupported(vec![tag]))),
        ("$exist", Value::Array(tags)) if tags.is_empty() => Ok(None),
        ("$exist", Value::Array(tags)) => Ok(Some(Query::Unsupported(strings(tags)?))),
        ("$and" | "$or" | "$not" | "$exist", _) => Err(format!("{key} has the wrong type")),
        (_, Value::String(wanted)) => Ok(Some(Query::Equal(key, wanted))),
        (_, Value::Object(map)) if map.len() == 1 => {
            let Some((operator, operand)) = map.into_iter().next() else { return Err("empty restriction".into()) };
            parse_operator(&operator, key, operand).map(Some)
        }
        _ => Err("a restriction's value has the wrong type".into()),
    }
}

fn parse_list(values: Vec<Value>, depth: usize) -> Result<Vec<Query>, String> {
    values
        .into_iter()
        .map(|value| match value {
            Value::Object(map) => parse_map(map, depth + 1),
            _ => Err("a restriction is not an object".to_string()),
        })
        .collect()
}

fn strings(values: Vec<Value>) -> Result<Vec<String>, String> {
    values
        .into_iter()
        .map(|value| match value {
            Value::String(text) => Ok(text),
            _ => Err("a restriction's list holds something else than strings".to_string()),
        })
        .collect()
}

fn parse_operator(operator: &str, tag: String, operand: Value) -> Result<Query, String> {
    match (operator, operand) {
        ("$neq", Value::String(value)) => Ok(Query::NotEqual(tag, value)),
        ("$gt" | "$gte" | "$lt" | "$lte" | "$like", Value::String(_)) => Ok(Query::Unsupported(vec![tag])),
        ("$in", Value::Array(values)) => Ok(Query::In(tag, strings(values)?)),
        _ => Err(format!("unknown operator {operator}")),
    }
}

objects_only!(NonRevokedInterval, PresentationRequest, AttributeRequest, PredicateRequest);
