import { decodeVerkey, isDid } from './identities.ts'
import { forbidden, malformed } from './refused-request.ts'
import { ROLE, TRANSACTION_TYPE } from './transactions.ts'
import type { LedgerState } from './ledger-state.ts'
import { definitionKey, schemaKey } from './ledger-state.ts'

export type Write = {
  readonly author: string
  readonly endorser: string | null
  readonly operation: Readonly<Record<string, unknown>>
}

type Rule = {
  shape(write: Write): void
  permission(write: Write, state: LedgerState): void
  txnId(write: Write): string
}

const WRITERS: readonly (string | null)[] = [ROLE.TRUSTEE, ROLE.STEWARD, ROLE.ENDORSER]

/** Which roles may add an identity with a role, as on a network with Indy's default rules. */
const MAY_GRANT = new Map<string | null, readonly (string | null)[]>([
  [ROLE.TRUSTEE, [ROLE.TRUSTEE]],
  [ROLE.STEWARD, [ROLE.TRUSTEE]],
  [ROLE.ENDORSER, [ROLE.TRUSTEE, ROLE.STEWARD]],
  [ROLE.NETWORK_MONITOR, [ROLE.TRUSTEE, ROLE.STEWARD]],
  [null, WRITERS],
])

const roleOf = (state: LedgerState, did: string): string | null => state.nyms.get(did)?.role ?? null

/** An author without a role may write when a signing endorser stands behind the request. */
const demandWriter = (write: Write, state: LedgerState): void => {
  const responsible = write.endorser ?? write.author
  if (!WRITERS.includes(roleOf(state, responsible))) {
    throw forbidden(
      `Not enough TRUSTEE, STEWARD or ENDORSER signatures: ${responsible} has none of these roles`,
    )
  }
}

const nym: Rule = {
  shape({ operation }) {
    const { dest, verkey, role } = operation
    if (!isDid(dest)) throw malformed(`dest must be a DID`)
    if (verkey !== undefined && (typeof verkey !== 'string' || decodeVerkey(verkey, dest) === null)) {
      throw malformed('verkey must be an Ed25519 key in base58')
    }
    if (role !== undefined && !MAY_GRANT.has(role as string | null))
      throw malformed(`role ${JSON.stringify(role)} is unknown`)
  },
  permission(write, state) {
    const { dest, verkey, role } = write.operation as { dest: string; verkey?: string; role?: string | null }
    const present = state.nyms.get(dest)
    const actor = roleOf(state, write.endorser ?? write.author)
    if (!present) {
      if (!MAY_GRANT.get(role ?? null)?.includes(actor))
        throw forbidden(`${write.author} may not add a NYM with this role`)
      return
    }
    if (verkey !== undefined && verkey !== present.verkey && write.author !== dest) {
      throw forbidden(`only ${dest} itself may change its verkey`)
    }
    if (role !== undefined && role !== present.role && actor !== ROLE.TRUSTEE) {
      throw forbidden('only a TRUSTEE may change a role')
    }
    if (write.author !== dest && actor !== ROLE.TRUSTEE)
      throw forbidden(`${dest} exists; ${write.author} does not own it`)
  },
  txnId: ({ operation }) => String(operation['dest']),
}

const schema: Rule = {
  shape({ operation }) {
    const data = operation['data'] as { name?: unknown; version?: unknown; attr_names?: unknown } | undefined
    if (typeof data?.name !== 'string' || data.name === '' || data.name.length > 256)
      throw malformed('data.name is missing')
    if (typeof data.version !== 'string' || !/^\d+(\.\d+){1,2}$/.test(data.version)) {
      throw malformed('data.version must look like 1.0 or 1.0.0')
    }
    const names = data.attr_names
    if (!Array.isArray(names) || names.length === 0 || names.length > 125)
      throw malformed('data.attr_names: 1 to 125 names')
    if (
      new Set(names).size !== names.length ||
      !names.every((name) => typeof name === 'string' && name !== '')
    ) {
      throw malformed('data.attr_names must be different texts')
    }
  },
  permission(write, state) {
    demandWriter(write, state)
    if (state.schemas.has(schemaKey(write.author, write.operation['data']))) {
      throw forbidden('a SCHEMA with this name and version exists; schemas cannot be changed')
    }
  },
  txnId: ({ author, operation }) => {
    const { name, version } = operation['data'] as { name: string; version: string }
    return `${author}:2:${name}:${version}`
  },
}

const definition: Rule = {
  shape({ operation }) {
    if (!Number.isInteger(operation['ref'])) throw malformed('ref must be the sequence number of a SCHEMA')
    if (operation['signature_type'] !== 'CL') throw malformed('signature_type must be CL')
    const primary = (operation['data'] as { primary?: unknown } | undefined)?.primary
    if (typeof primary !== 'object' || primary === null) throw malformed('data.primary is missing')
  },
  permission(write, state) {
    const key = definitionKey(write.author, write.operation['ref'], write.operation['tag'])
    if (!state.definitions.has(key)) demandWriter(write, state)
    const target = state.byNumber[Number(write.operation['ref']) - 1]
    if (target?.txn.type !== TRANSACTION_TYPE.SCHEMA)
      throw malformed(`ref ${String(write.operation['ref'])} is no SCHEMA`)
  },
  txnId: ({ author, operation }) =>
    `${author}:3:CL:${String(operation['ref'])}:${(operation['tag'] as string | undefined) ?? 'tag'}`,
}

const attribute: Rule = {
  shape({ operation }) {
    if (!isDid(operation['dest'])) throw malformed('dest must be a DID')
    const given = ['raw', 'hash', 'enc'].filter((name) => typeof operation[name] === 'string')
    if (given.length !== 1) throw malformed('exactly one of raw, hash and enc is needed')
  },
  permission(write, state) {
    if (!state.nyms.has(String(write.operation['dest'])))
      throw malformed('dest must be added with NYM before')
    if (write.author !== write.operation['dest'] && write.endorser === null) {
      throw forbidden('only the owner of the NYM may set its attributes')
    }
  },
  txnId: ({ operation }) =>
    `${String(operation['dest'])}:1:${String(operation['raw'] ?? operation['hash'] ?? operation['enc'])}`,
}

const demandTrustee = (write: Write, state: LedgerState): void => {
  if (roleOf(state, write.author) !== ROLE.TRUSTEE)
    throw forbidden(`${write.author} is no TRUSTEE: the network's rules are for trustees to set`)
}

const agreement: Rule = {
  shape({ operation }) {
    for (const name of ['text', 'version'])
      if (typeof operation[name] !== 'string') throw malformed(`${name} must be a text`)
  },
  permission(write, state) {
    demandTrustee(write, state)
    if (state.mechanisms === null)
      throw forbidden('TAA txn is forbidden until TAA AML is set. Send TAA AML first')
  },
  txnId: ({ operation }) => `2:latest:${String(operation['version'])}`,
}

const mechanisms: Rule = {
  shape({ operation }) {
    const aml = operation['aml']
    if (typeof operation['version'] !== 'string') throw malformed('version must be a text')
    if (typeof aml !== 'object' || aml === null || Object.keys(aml).length === 0)
      throw malformed('aml must name at least one mechanism')
  },
  permission: demandTrustee,
  txnId: ({ operation }) => `3:latest:${String(operation['version'])}`,
}

export const WRITE_RULES: ReadonlyMap<string, Rule> = new Map([
  [TRANSACTION_TYPE.NYM, nym],
  [TRANSACTION_TYPE.SCHEMA, schema],
  [TRANSACTION_TYPE.CLAIM_DEF, definition],
  [TRANSACTION_TYPE.ATTRIB, attribute],
  [TRANSACTION_TYPE.TAA, agreement],
  [TRANSACTION_TYPE.AML, mechanisms],
])
