//! Objects are read from JSON objects alone: serde would take an array for a structure too, member by member in an order
//! that is nobody's agreement, and the library does so in an order of its own.

/// For structures with `#[serde(remote = "Self")]`, whose derived reader is used for the members.
macro_rules! objects_only {
    ($($name:ident),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                struct Members;
                impl<'de> serde::de::Visitor<'de> for Members {
                    type Value = $name;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                        formatter.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, members: A) -> std::result::Result<$name, A::Error> {
                        $name::deserialize(serde::de::value::MapAccessDeserializer::new(members))
                    }
                }
                deserializer.deserialize_map(Members)
            }
        }
    )+};
}
