/** A ledger object's name has two spellings: unqualified (`did:2:name:version`) and qualified (`did:indy:…`). */
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

/** No object of an Indy ledger has a longer name. */
const ID_LENGTH_MAX = 1_024
const SEQ_NO_MAX = 2 ** 31 - 1
const DID = '[1-9A-HJ-NP-Za-km-z]{21,22}'
const ROOT = `did:indy:[a-z0-9_]+(?::[a-z0-9_]+)?:${DID}/anoncreds/v0`
const SCHEMA_ID = new RegExp(`^(?:${DID}:2:[^:]+:[^:]+|${ROOT}/SCHEMA/[^/]+/[^/]+)$`)
const DEFINITION_ID = new RegExp(
  `^(?:${DID}:3:CL:([1-9][0-9]{0,9}):[^:]+|${ROOT}/CLAIM_DEF/([1-9][0-9]{0,9})/[^/]+)$`,
)

const QUALIFIED = new RegExp(`^did:indy:(.+):(${DID})/anoncreds/v0/(SCHEMA|CLAIM_DEF)/([^/]+)/([^/]+)$`)

/**
 * The spelling to ask a ledger by: indy-vdr takes a qualified name apart at its colons and would ask for another
 * object. Null for the name of another network's object.
 */
export const spelledForLedger = (id: string, namespace: string): string | null => {
  const [, network, did = '', kind, first = '', last = ''] = QUALIFIED.exec(id) ?? []
  if (network === undefined) return id
  if (network !== namespace) return null
  return kind === 'SCHEMA' ? schemaId(did, first, last) : definitionId(did, Number(first), last)
}

/** Whether a text can name a schema at all: names that come from outside are checked before the ledger is asked. */
export const isSchemaId = (id: string): boolean => id.length <= ID_LENGTH_MAX && SCHEMA_ID.test(id)

export const isDefinitionId = (id: string): boolean => {
  if (id.length > ID_LENGTH_MAX) return false
  const [, plain, qualified] = DEFINITION_ID.exec(id) ?? []
  return Number(plain ?? qualified ?? Number.NaN) <= SEQ_NO_MAX
}
