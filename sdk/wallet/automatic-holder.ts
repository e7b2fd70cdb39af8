import type { DidCommCredentialStateChangedEvent, DidCommProofStateChangedEvent } from '@credo-ts/didcomm'
import {
  DidCommCredentialEventTypes,
  DidCommCredentialState,
  DidCommProofEventTypes,
  DidCommProofState,
} from '@credo-ts/didcomm'
import type { HolderEvent, Policy } from './holder-messages.ts'
import type { WalletAgent } from './wallet-agent.ts'

/** Answers offers and proof requests by policy, as a person at the phone would, and tells what happened. */
export class AutomaticHolder {
  readonly #wallet: { readonly agent: WalletAgent }
  readonly #tell: (event: HolderEvent) => void
  offers: Policy
  proofs: Policy

  constructor(
    wallet: { readonly agent: WalletAgent },
    policies: { offers: Policy; proofs: Policy },
    tell: (event: HolderEvent) => void,
  ) {
    this.#wallet = wallet
    this.#tell = tell
    this.offers = policies.offers
    this.proofs = policies.proofs
    const { events } = wallet.agent
    events.on<DidCommCredentialStateChangedEvent>(
      DidCommCredentialEventTypes.DidCommCredentialStateChanged,
      ({ payload }) => void this.#credential(payload.credentialExchangeRecord),
    )
    events.on<DidCommProofStateChangedEvent>(
      DidCommProofEventTypes.ProofStateChanged,
      ({ payload }) => void this.#proof(payload.proofRecord),
    )
  }

  async #credential({
    id,
    state,
    threadId,
  }: {
    id: string
    state: DidCommCredentialState
    threadId: string
  }): Promise<void> {
    this.#tell({ kind: 'credential', threadId, state })
    const { credentials } = this.#wallet.agent.didcomm
    await this.#try('credential', threadId, async () => {
      if (state === DidCommCredentialState.OfferReceived && this.offers === 'accept') {
        await credentials.acceptOffer({ credentialExchangeRecordId: id })
      } else if (state === DidCommCredentialState.OfferReceived && this.offers === 'decline') {
        await credentials.declineOffer({ credentialExchangeRecordId: id, sendProblemReport: true })
      } else if (state === DidCommCredentialState.OfferReceived && this.offers === 'propose') {
        const credentialFormats = { anoncreds: { attributes: [{ name: 'name', value: 'Somebody else' }] } }
        await credentials.negotiateOffer({ credentialExchangeRecordId: id, credentialFormats })
      } else if (state === DidCommCredentialState.CredentialReceived) {
        await credentials.acceptCredential({ credentialExchangeRecordId: id })
      }
    })
  }

  async #proof({
    id,
    state,
    threadId,
  }: {
    id: string
    state: DidCommProofState
    threadId: string
  }): Promise<void> {
    this.#tell({ kind: 'proof', threadId, state })
    if (state !== DidCommProofState.RequestReceived) return
    const { proofs } = this.#wallet.agent.didcomm
    await this.#try('proof', threadId, async () => {
      if (this.proofs === 'accept') {
        const { proofFormats } = await proofs.selectCredentialsForRequest({ proofExchangeRecordId: id })
        await proofs.acceptRequest({ proofExchangeRecordId: id, proofFormats })
      } else if (this.proofs === 'decline') {
        await proofs.declineRequest({ proofExchangeRecordId: id, sendProblemReport: true })
      } else if (this.proofs === 'propose') {
        const proofFormats = { anoncreds: { attributes: [{ name: 'name' }] } }
        await proofs.negotiateRequest({ proofExchangeRecordId: id, proofFormats })
      }
    })
  }

  async #try(kind: HolderEvent['kind'], threadId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#tell({
        kind,
        threadId,
        state: `failed: ${error instanceof Error ? error.message : String(error)}`,
      })
    }
  }
}
