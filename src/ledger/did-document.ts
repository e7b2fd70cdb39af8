import bs58 from 'bs58'

/** What the ledger says of an identifier. */
export type LedgerNym = {
  readonly dest: string
  readonly verkey: string
  /** The text of an object that belongs into the document. */
  readonly diddocContent?: unknown
}

type Json = Readonly<Record<string, unknown>>

/** Where an identifier is served, by the kind of service, as its owner wrote it to the ledger. */
export type Endpoints = Json

const DIDCOMM = 'endpoint'
/** Who forwards to the endpoint for DIDComm, beside which agents write it. */
const ROUTING_KEYS = 'routingKeys'

/** The document of a DID as `did:indy` makes it of what the ledger has, in the words of indy-vdr. */
export const didDocument = (namespace: string, nym: LedgerNym, endpoints: Endpoints | null): Json => {
  const id = `did:indy:${namespace}:${nym.dest}`
  const key = `${id}#verkey`
  const base = {
    id,
    verificationMethod: [
      {
        id: key,
        type: 'Ed25519VerificationKey2018',
        controller: id,
        publicKeyBase58: wholeVerkey(nym),
      },
    ],
    authentication: [key],
  }
  const content = contentOf(nym)
  if (content !== null)
    return {
      ...base,
      ...content,
      // The content of an owner cannot give the document another id, or take the key of the identifier away.
      id,
      verificationMethod: [...base.verificationMethod, ...listed(content['verificationMethod'])],
      authentication: [...base.authentication, ...listed(content['authentication'])],
    }
  const service = Object.entries(endpoints ?? {}).flatMap(([type, serviceEndpoint]) =>
    typeof serviceEndpoint === 'string' ? [serviceOf(id, type, serviceEndpoint, endpoints)] : [],
  )
  return service.length === 0 ? base : { ...base, service }
}

export const contentOf = ({ diddocContent }: LedgerNym): Json | null => {
  if (typeof diddocContent !== 'string') return null
  try {
    return objectOrNull(JSON.parse(diddocContent))
  } catch {
    return null
  }
}

export const objectOrNull = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null

const serviceOf = (id: string, type: string, serviceEndpoint: string, endpoints: Endpoints | null): Json =>
  type === DIDCOMM
    ? {
        id: `${id}#did-communication`,
        type: 'did-communication',
        serviceEndpoint,
        recipientKeys: [`${id}#verkey`],
        routingKeys: listed(endpoints?.[ROUTING_KEYS]).filter((key) => typeof key === 'string'),
        priority: 0,
      }
    : { id: `${id}#${type}`, type, serviceEndpoint }

const listed = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

/** A key `~…` is the second half of a key whose first half is the DID. A kind of key may stand behind a colon. */
const wholeVerkey = ({ dest, verkey }: LedgerNym): string => {
  if (!verkey.startsWith('~')) return verkey
  const [half = '', ...kind] = verkey.slice(1).split(':')
  try {
    return [bs58.encode(Buffer.concat([bs58.decode(dest), bs58.decode(half)])), ...kind].join(':')
  } catch {
    return verkey
  }
}
