import type { LedgerFacts } from '../network/ledger-facts.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore } from '../rows/row-store.ts'

/** What was read once, at the first start, and how far the wallet has come with its mediator. */
export type Setup = {
  readonly baseUrl: string
  readonly ledger: LedgerFacts
  readonly mediator: MediatorSetup | null
}

export type MediatorSetup = {
  readonly invitationUrl: string
  readonly connectionId: string | null
  readonly mediationId: string | null
}

const ID = 'setup'

export class SetupRow {
  readonly #row: Kept<Setup>

  constructor(rows: RowStore) {
    this.#row = new Kept(rows, 'setup')
  }

  stored(): Setup | null {
    return this.#row.stored(ID)
  }

  /** As the step sees it that is under way. */
  found(): Setup | null {
    return this.#row.find(ID)
  }

  /** Within a step. */
  put(setup: Setup): void {
    this.#row.put(ID, setup)
  }

  putMediator(mediator: MediatorSetup | null): void {
    const setup = this.found()
    if (setup !== null) this.put({ ...setup, mediator })
  }
}
