import { W3cCredentialRecord } from '@credo-ts/core'
import type { AgentSteps } from '../agent/agent-steps.ts'
import type { WalletAgent } from '../agent/open-agent.ts'
import { storedRecord, storedRecords } from '../agent/record-storage.ts'
import type { Listeners } from '../events.ts'
import type { Clock } from '../ports.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore } from '../rows/row-store.ts'
import { WalletError } from '../wallet-error.ts'
import { expiryOf, isExpired } from './expiry.ts'

/** A credential that the wallet holds. It stays when the organisation erases its own records. */
export type Credential = {
  readonly id: string
  /** Whom it came from; null where it is not known. */
  readonly connectionId: string | null
  readonly credentialDefinitionId: string
  readonly schemaId: string
  readonly schemaName: string
  readonly schemaVersion: string
  readonly issuerId: string
  readonly attributes: Readonly<Record<string, string>>
  readonly receivedAt: Date
  readonly expiresAt: Date | null
  /** No verifier accepts it any more. */
  readonly expired: boolean
}

/** What the wallet knows of how a credential came, with the values as they were offered and signed. */
type Origin = {
  readonly connectionId: string | null
  readonly attributes: Readonly<Record<string, string>>
}

type Parts = {
  readonly rows: RowStore
  readonly agent: WalletAgent
  readonly steps: AgentSteps
  readonly clock: Clock
  readonly listeners: Listeners
}

export class Credentials {
  readonly #parts: Parts
  readonly #origins: Kept<Origin>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#origins = new Kept(parts.rows, 'credential-origin')
  }

  /** The newest first, those that have expired among them. */
  list(): readonly Credential[] {
    return storedRecords(this.#parts.rows, W3cCredentialRecord)
      .map((record) => this.#credentialOf(record, this.#origins.stored(record.id)))
      .sort((one, other) => other.receivedAt.getTime() - one.receivedAt.getTime())
  }

  get(id: string): Credential {
    const record = storedRecord(this.#parts.rows, W3cCredentialRecord, id)
    if (record === null) throw noSuchCredential()
    return this.#credentialOf(record, this.#origins.stored(id))
  }

  /** How its definition is called by those who ask for it in this form. */
  definitionId(id: string, isQualified: boolean): string {
    const record = storedRecord(this.#parts.rows, W3cCredentialRecord, id)
    if (record === null) throw noSuchCredential()
    const tags: Tags = record.getTags()
    return isQualified
      ? String(tags['anonCredsCredentialDefinitionId'])
      : ledgerIdIn(tags, 'CredentialDefinitionId')
  }

  /** For good: the organisation would have to issue it again. */
  async delete(id: string): Promise<void> {
    const { agent, steps, listeners } = this.#parts
    await steps.run(async (step) => {
      if (this.#parts.rows.get('credential-origin', id) !== null) this.#origins.remove(id)
      await agent.w3cCredentials.deleteById(id).catch((error: unknown) => {
        throw noSuchCredential(error)
      })
      step.afterwards(() => listeners.tell({ name: 'credentialDeleted', data: { id } }))
    })
  }

  /** Within the step in which it came. */
  async received(id: string, origin: Origin): Promise<Credential> {
    this.#origins.put(id, origin)
    const record = await this.#parts.agent.w3cCredentials.getById(id)
    return this.#credentialOf(record, origin)
  }

  #credentialOf(record: W3cCredentialRecord, origin: Origin | null): Credential {
    const tags: Tags = record.getTags()
    const attributes = origin?.attributes ?? claimsOf(record)
    const expiresAt = expiryOf(attributes)
    return {
      id: record.id,
      connectionId: origin?.connectionId ?? null,
      credentialDefinitionId: ledgerIdIn(tags, 'CredentialDefinitionId'),
      schemaId: ledgerIdIn(tags, 'SchemaId'),
      schemaName: String(tags['anonCredsSchemaName']),
      schemaVersion: String(tags['anonCredsSchemaVersion']),
      issuerId: String(tags['anonCredsUnqualifiedIssuerId'] ?? tags['issuerId']),
      attributes,
      receivedAt: record.createdAt,
      expiresAt,
      expired: isExpired(expiresAt, this.#parts.clock.now()),
    }
  }
}

/** Of one that came before the SDK. */
const claimsOf = ({ firstCredential }: W3cCredentialRecord): Readonly<Record<string, string>> => {
  const { credentialSubject } = firstCredential
  const [subject] = Array.isArray(credentialSubject) ? credentialSubject : [credentialSubject]
  return Object.fromEntries(
    Object.entries(subject?.claims ?? {}).map(([name, value]) => [name, String(value)]),
  )
}

type Tags = Readonly<Record<string, unknown>>

/** As the ledger, the platform and the offers have it; where there is no such form, as it is. */
const ledgerIdIn = (tags: Tags, name: string): string =>
  String(tags[`anonCredsUnqualified${name}`] ?? tags[`anonCreds${name}`])

const noSuchCredential = (cause?: unknown): WalletError =>
  new WalletError('NotFound', 'there is no credential with this id', cause === undefined ? {} : { cause })
