import type { DidCommCredentialExchangeRecord } from '@credo-ts/didcomm'
import { DidCommCredentialState } from '@credo-ts/didcomm'
import type { AgentSteps } from '../agent/agent-steps.ts'
import type { OpenAgent } from '../agent/open-agent.ts'
import type { WalletEvent } from '../events.ts'
import type { Mail } from '../mail/mail.ts'
import type { Clock } from '../ports.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore } from '../rows/row-store.ts'
import { WalletError } from '../wallet-error.ts'
import type { Credentials } from './credentials.ts'
import { expiryOf } from './expiry.ts'

/** A credential that an organisation offers. */
export type Offer = {
  readonly id: string
  readonly connectionId: string | null
  readonly credentialDefinitionId: string
  readonly schemaId: string
  readonly attributes: Readonly<Record<string, string>>
  readonly expiresAt: Date | null
  readonly receivedAt: Date
  /** `accepted` until the credential is there; the others are told by events alone. */
  readonly state: 'offered' | 'accepted' | 'received' | 'declined' | 'abandoned'
}

type OfferRow = Omit<Offer, 'id' | 'expiresAt' | 'receivedAt'> & { readonly receivedAtMs: number }

type Parts = Pick<OpenAgent, 'agent' | 'ledger'> & {
  readonly rows: RowStore
  readonly steps: AgentSteps
  readonly mail: Mail
  readonly clock: Clock
  readonly credentials: Credentials
}

export class Offers {
  readonly #parts: Parts
  readonly #rows: Kept<OfferRow>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#rows = new Kept(parts.rows, 'offer')
  }

  /** What waits for the holder or for its organisation, the newest first. */
  list(): readonly Offer[] {
    return this.#rows
      .allStored()
      .map(({ id, ...row }) => offerOf(id, row))
      .sort((one, other) => other.receivedAt.getTime() - one.receivedAt.getTime())
  }

  /** Decided when it comes back, also without network: then the organisation hears of it with a later sync. */
  async accept(id: string): Promise<Offer> {
    const { agent, ledger, steps, mail } = this.#parts
    const offered = this.#stored(id)
    if (offered.state === 'accepted') return offered
    await ledger.keep(agent.context, offered.credentialDefinitionId)
    await steps.run(async () => {
      if (this.#existing(id).state !== 'offered') return
      const asked = { credentialExchangeRecordId: id }
      await ledger.attempt(() => agent.didcomm.credentials.acceptOffer(asked))
    })
    await mail.exchange()
    return { ...offered, state: 'accepted' }
  }

  async decline(id: string): Promise<void> {
    const { agent, steps, mail } = this.#parts
    refuseAccepted(this.#stored(id))
    await steps.run(async () => {
      refuseAccepted(this.#existing(id))
      const { credentials } = agent.didcomm
      await credentials.declineOffer({
        credentialExchangeRecordId: id,
        sendProblemReport: true,
        problemReportDescription: 'Declined',
      })
    })
    await mail.exchange()
  }

  /** Takes over what Credo says of an exchange, within its step. */
  async changed(recordId: string): Promise<readonly WalletEvent[]> {
    const { credentials } = this.#parts.agent.didcomm
    const record = await credentials.findById(recordId)
    if (record === null) return []
    switch (record.state) {
      case DidCommCredentialState.OfferReceived:
        return await this.#offered(record)
      case DidCommCredentialState.RequestSent:
        return this.#moved(record.id, 'accepted')
      case DidCommCredentialState.CredentialReceived:
        await credentials.acceptCredential({ credentialExchangeRecordId: record.id })
        return []
      case DidCommCredentialState.Done:
        return await this.#received(record)
      case DidCommCredentialState.Declined:
        return await this.#over(record.id, 'declined')
      case DidCommCredentialState.Abandoned:
        return await this.#over(record.id, 'abandoned')
      default:
        return []
    }
  }

  async #offered(record: DidCommCredentialExchangeRecord): Promise<readonly WalletEvent[]> {
    const { offer, offerAttributes } = await this.#parts.agent.didcomm.credentials.getFormatData(record.id)
    const { cred_def_id, schema_id } = offer?.anoncreds ?? {}
    if (cred_def_id === undefined || schema_id === undefined) throw new Error('the offer is of no known form')
    const row: OfferRow = {
      connectionId: record.connectionId ?? null,
      credentialDefinitionId: cred_def_id,
      schemaId: schema_id,
      attributes: valuesIn(offerAttributes),
      receivedAtMs: this.#parts.clock.now(),
      state: 'offered',
    }
    this.#rows.put(record.id, row)
    return [{ name: 'offerChanged', data: offerOf(record.id, row) }]
  }

  #moved(id: string, state: Offer['state']): readonly WalletEvent[] {
    const row = this.#rows.find(id)
    if (row === null) return []
    this.#rows.put(id, { ...row, state })
    return [{ name: 'offerChanged', data: offerOf(id, { ...row, state }) }]
  }

  async #received(record: DidCommCredentialExchangeRecord): Promise<readonly WalletEvent[]> {
    const { credentials } = this.#parts
    const origin = {
      connectionId: record.connectionId ?? null,
      attributes: valuesIn(record.credentialAttributes),
    }
    const received = await Promise.all(
      record.credentials.map(({ credentialRecordId }) => credentials.received(credentialRecordId, origin)),
    )
    const events = received.map((data): WalletEvent => ({ name: 'credentialReceived', data }))
    return [...(await this.#over(record.id, 'received')), ...events]
  }

  /** What was said in a finished exchange is of no more use; the credential stays. */
  async #over(id: string, state: Offer['state']): Promise<readonly WalletEvent[]> {
    const events = this.#moved(id, state)
    if (events.length > 0) this.#rows.remove(id)
    await this.#parts.agent.didcomm.credentials.deleteById(id, {
      deleteAssociatedCredentials: false,
      deleteAssociatedDidCommMessages: true,
    })
    return events
  }

  #stored(id: string): Offer {
    const row = this.#rows.stored(id)
    if (row === null) throw noSuchOffer()
    return offerOf(id, row)
  }

  /** Within a step: it may have ended meanwhile. */
  #existing(id: string): OfferRow {
    const row = this.#rows.find(id)
    if (row === null) throw noSuchOffer()
    return row
  }
}

const offerOf = (id: string, { receivedAtMs, ...row }: OfferRow): Offer => ({
  id,
  ...row,
  expiresAt: expiryOf(row.attributes),
  receivedAt: new Date(receivedAtMs),
})

type Value = { readonly name: string; readonly value: string }

const valuesIn = (attributes: readonly Value[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(attributes.map(({ name, value }) => [name, value]))

const refuseAccepted = ({ state }: Pick<Offer, 'state'>): void => {
  if (state === 'offered') return
  throw new WalletError('NotFound', 'the offer has been accepted', { code: 'offer_accepted' })
}

const noSuchOffer = (): WalletError => new WalletError('NotFound', 'there is no offer with this id')
