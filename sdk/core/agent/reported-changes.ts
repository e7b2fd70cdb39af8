import type {
  DidCommConnectionStateChangedEvent,
  DidCommCredentialStateChangedEvent,
  DidCommProofStateChangedEvent,
} from '@credo-ts/didcomm'
import {
  DidCommConnectionEventTypes,
  DidCommCredentialEventTypes,
  DidCommProofEventTypes,
} from '@credo-ts/didcomm'
import type { Listeners, WalletEvent } from '../events.ts'
import type { Step } from '../rows/row-store.ts'
import type { WalletAgent } from './open-agent.ts'

type Take = (recordId: string) => Promise<readonly WalletEvent[]>
export type Takers = { readonly connection: Take; readonly offer: Take; readonly proofRequest: Take }
type Change = { readonly what: keyof Takers; readonly recordId: string }

/** What Credo reports while a step is under way; it is taken over within the step, and told when the step is stored. */
export class ReportedChanges {
  readonly #listeners: Listeners
  #takers: Takers | null = null
  #changes: Change[] = []
  #events: WalletEvent[] = []

  constructor({ events }: WalletAgent, listeners: Listeners) {
    this.#listeners = listeners
    events.on<DidCommConnectionStateChangedEvent>(
      DidCommConnectionEventTypes.DidCommConnectionStateChanged,
      ({ payload }) => this.note('connection', payload.connectionRecord.id),
    )
    events.on<DidCommCredentialStateChangedEvent>(
      DidCommCredentialEventTypes.DidCommCredentialStateChanged,
      ({ payload }) => this.note('offer', payload.credentialExchangeRecord.id),
    )
    events.on<DidCommProofStateChangedEvent>(DidCommProofEventTypes.ProofStateChanged, ({ payload }) =>
      this.note('proofRequest', payload.proofRecord.id),
    )
  }

  note(what: Change['what'], recordId: string): void {
    this.#changes.push({ what, recordId })
  }

  takenBy(takers: Takers): void {
    this.#takers = takers
  }

  /** What is no change of a record that there still is. */
  tell(event: WalletEvent): void {
    this.#events.push(event)
  }

  forget(): void {
    this.#changes = []
    this.#events = []
  }

  /** Taking over one change may bring about the next. */
  async settle(step: Step): Promise<void> {
    for (let change = this.#changes.shift(); change !== undefined; change = this.#changes.shift()) {
      this.#events.push(...((await this.#takers?.[change.what](change.recordId)) ?? []))
    }
    for (const event of this.#events.splice(0)) step.afterwards(() => this.#listeners.tell(event))
  }
}
