/** What names a credential definition on a ledger, whichever way it is spelled. */
export type DefinitionName = { readonly did: string; readonly schemaSeqNo: number; readonly tag: string }

/** With an empty place for the network. */
const UNQUALIFIED = /^()?([1-9A-HJ-NP-Za-km-z]{21,22}):3:CL:([1-9]\d{0,14}):(.{1,100})$/
const QUALIFIED =
  /^did:indy:([a-z0-9:_-]{1,60}):([1-9A-HJ-NP-Za-km-z]{21,22})\/anoncreds\/v0\/CLAIM_DEF\/([1-9]\d{0,14})\/(.{1,100})$/

/** Null for a text that is no ledger id, and for what `did:indy` places on another network than this one. */
export const definitionNameOf = (namespace: string, ledgerId: string): DefinitionName | null => {
  const [, network = namespace, did, schemaSeqNo, tag] =
    QUALIFIED.exec(ledgerId) ?? UNQUALIFIED.exec(ledgerId) ?? []
  if (did === undefined || network !== namespace) return null
  return { did, schemaSeqNo: Number(schemaSeqNo), tag: tag ?? '' }
}

export const qualifiedSchemaId = (namespace: string, did: string, name: string, version: string): string =>
  `did:indy:${namespace}:${did}/anoncreds/v0/SCHEMA/${name}/${version}`

export const qualifiedDefinitionId = (namespace: string, ledgerId: string): string | null => {
  const named = definitionNameOf(namespace, ledgerId)
  if (named === null) return null
  return `did:indy:${namespace}:${named.did}/anoncreds/v0/CLAIM_DEF/${named.schemaSeqNo}/${named.tag}`
}
