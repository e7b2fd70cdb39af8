/** The two spellings of a ledger object's name: unqualified (`did:2:name:version`) and qualified (`did:indy:…`). */
export const schemaId = (did: string, name: string, version: string): string => `${did}:2:${name}:${version}`

export const definitionId = (did: string, schemaSeqNo: number, tag: string): string =>
  `${did}:3:CL:${schemaSeqNo}:${tag}`

export const qualifiedSchemaId = (namespace: string, did: string, name: string, version: string): string =>
  `did:indy:${namespace}:${did}/anoncreds/v0/SCHEMA/${name}/${version}`

export const qualifiedDefinitionId = (
  namespace: string,
  did: string,
  schemaSeqNo: number,
  tag: string,
): string => `did:indy:${namespace}:${did}/anoncreds/v0/CLAIM_DEF/${schemaSeqNo}/${tag}`
