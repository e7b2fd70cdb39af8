import type { AnonCredsSelectedCredentials } from '@credo-ts/anoncreds'
import type { DidCommProofExchangeRecord } from '@credo-ts/didcomm'
import { DidCommProofState } from '@credo-ts/didcomm'
import type { AgentSteps } from '../agent/agent-steps.ts'
import type { OpenAgent } from '../agent/open-agent.ts'
import type { WalletEvent } from '../events.ts'
import type { Mail } from '../mail/mail.ts'
import type { Clock } from '../ports.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore } from '../rows/row-store.ts'
import { WalletError } from '../wallet-error.ts'
import {
  bestSelection,
  type Candidates,
  candidatesFor,
  checkSelection,
  isQualified,
  type Selection,
} from './candidates.ts'
import type { Credentials } from './credentials.ts'
import { type Requested, requestedIn } from './requested.ts'

/** What an organisation wants to have proved. */
export type ProofRequest = {
  readonly id: string
  readonly connectionId: string | null
  readonly name: string
  readonly requested: readonly Requested[]
  readonly receivedAt: Date
  /** `presented` until the organisation has confirmed it; the others are told by events alone. */
  readonly state: 'requested' | 'presented' | 'done' | 'declined' | 'abandoned'
}

type RequestRow = Omit<ProofRequest, 'id' | 'receivedAt'> & { readonly receivedAtMs: number }

type Parts = Pick<OpenAgent, 'agent' | 'ledger'> & {
  readonly rows: RowStore
  readonly steps: AgentSteps
  readonly mail: Mail
  readonly clock: Clock
  readonly credentials: Credentials
}

export class ProofRequests {
  readonly #parts: Parts
  readonly #rows: Kept<RequestRow>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#rows = new Kept(parts.rows, 'proof-request')
  }

  /** What waits for the holder or for its organisation, the newest first. */
  list(): readonly ProofRequest[] {
    return this.#rows
      .allStored()
      .map(({ id, ...row }) => requestOf(id, row))
      .sort((one, other) => other.receivedAt.getTime() - one.receivedAt.getTime())
  }

  /** What the holder can choose among. */
  candidates(id: string): Candidates {
    return candidatesFor(this.#open(id).requested, this.#parts.credentials.list())
  }

  /** A selection that answers everything, if there is one; it is to be shown before it is presented. */
  select(id: string): Selection {
    return bestSelection(this.#open(id).requested, this.candidates(id))
  }

  /** Decided when it comes back, also without network: then the organisation gets it with a later sync. */
  async present(id: string, selection: Selection = this.select(id)): Promise<ProofRequest> {
    const { agent, ledger, steps, mail, credentials } = this.#parts
    const request = this.#open(id)
    const { requested } = request
    checkSelection(requested, this.candidates(id), selection)
    for (const chosen of new Set(Object.values(selection)))
      await ledger.keep(agent.context, credentials.definitionId(chosen, isQualified(requested)))
    await steps.run(async () => {
      if (this.#existing(id).state !== 'requested') return
      const anoncreds = await this.#selected(requested, selection)
      const asked = { proofExchangeRecordId: id, proofFormats: { anoncreds } }
      await ledger.attempt(() => agent.didcomm.proofs.acceptRequest(asked))
    })
    await mail.exchange()
    return { ...request, state: 'presented' }
  }

  async decline(id: string): Promise<void> {
    const { agent, steps, mail } = this.#parts
    this.#open(id)
    await steps.run(async () => {
      refuseAnswered(this.#existing(id))
      await agent.didcomm.proofs.declineRequest({
        proofExchangeRecordId: id,
        sendProblemReport: true,
        problemReportDescription: 'Declined',
      })
    })
    await mail.exchange()
  }

  /** Takes over what Credo says of an exchange, within its step. */
  async changed(recordId: string): Promise<readonly WalletEvent[]> {
    const record = await this.#parts.agent.didcomm.proofs.findById(recordId)
    if (record === null) return []
    switch (record.state) {
      case DidCommProofState.RequestReceived:
        return await this.#requested(record)
      case DidCommProofState.PresentationSent:
        return this.#moved(record.id, 'presented')
      case DidCommProofState.Done:
        return await this.#over(record.id, 'done')
      case DidCommProofState.Declined:
        return await this.#over(record.id, 'declined')
      case DidCommProofState.Abandoned:
        return await this.#over(record.id, 'abandoned')
      default:
        return []
    }
  }

  async #requested(record: DidCommProofExchangeRecord): Promise<readonly WalletEvent[]> {
    const { request } = await this.#parts.agent.didcomm.proofs.getFormatData(record.id)
    if (request?.anoncreds === undefined) throw new Error('the proof request is of no known form')
    const row: RequestRow = {
      connectionId: record.connectionId ?? null,
      name: request.anoncreds.name,
      requested: requestedIn(request.anoncreds),
      receivedAtMs: this.#parts.clock.now(),
      state: 'requested',
    }
    this.#rows.put(record.id, row)
    return [{ name: 'proofRequestChanged', data: requestOf(record.id, row) }]
  }

  async #selected(
    requested: readonly Requested[],
    selection: Selection,
  ): Promise<AnonCredsSelectedCredentials> {
    const selected: AnonCredsSelectedCredentials = {
      attributes: {},
      predicates: {},
      selfAttestedAttributes: {},
    }
    for (const { kind, referent } of requested) {
      const credentialId = selection[referent] ?? ''
      const credentialInfo = await this.#parts.agent.modules.anoncreds.getCredential(credentialId)
      if (kind === 'attributes')
        selected.attributes[referent] = { credentialId, credentialInfo, revealed: true }
      else selected.predicates[referent] = { credentialId, credentialInfo }
    }
    return selected
  }

  #moved(id: string, state: ProofRequest['state']): readonly WalletEvent[] {
    const row = this.#rows.find(id)
    if (row === null) return []
    this.#rows.put(id, { ...row, state })
    return [{ name: 'proofRequestChanged', data: requestOf(id, { ...row, state }) }]
  }

  async #over(id: string, state: ProofRequest['state']): Promise<readonly WalletEvent[]> {
    const events = this.#moved(id, state)
    if (events.length > 0) this.#rows.remove(id)
    await this.#parts.agent.didcomm.proofs.deleteById(id, { deleteAssociatedDidCommMessages: true })
    return events
  }

  #stored(id: string): ProofRequest {
    const row = this.#rows.stored(id)
    if (row === null) throw noSuchRequest()
    return requestOf(id, row)
  }

  /** Within a step: it may have ended meanwhile. */
  #existing(id: string): RequestRow {
    const row = this.#rows.find(id)
    if (row === null) throw noSuchRequest()
    return row
  }

  #open(id: string): ProofRequest {
    const request = this.#stored(id)
    refuseAnswered(request)
    return request
  }
}

const requestOf = (id: string, { receivedAtMs, ...row }: RequestRow): ProofRequest => ({
  id,
  ...row,
  receivedAt: new Date(receivedAtMs),
})

const refuseAnswered = ({ state }: Pick<ProofRequest, 'state'>): void => {
  if (state === 'requested') return
  throw new WalletError('NotFound', 'the proof request has been answered', { code: 'request_answered' })
}

const noSuchRequest = (): WalletError => new WalletError('NotFound', 'there is no proof request with this id')
