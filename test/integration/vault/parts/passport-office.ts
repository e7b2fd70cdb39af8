import { randomUUID } from 'node:crypto'
import { askById } from '../../../host/parts/ask-by-id.ts'
import type { KindTypes } from '../../../../src/domain/decider.ts'
import type { Ref } from '../../../../src/domain/references.ts'
import { Host } from '../../../../src/host/host.ts'
import { defaultHostLimits } from '../../../../src/host/host-limits.ts'
import { soleOwner } from '../../../../src/ports/journal.ts'
import { createRuntime } from '../../../../src/host/runtime.ts'
import type { Vault } from '../../../../src/ports/vault.ts'
import { openJournal } from '../../../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../../../src/persistence/shard-log-settings.ts'
import type { JournalStore } from '../../../../src/persistence/store-port.ts'
import { holder, passport, type Passport, type PassportCommand } from './passport.ts'

/** The real host, journal and vault with records that have personal data, all on shard 0. */
export class PassportOffice {
  readonly faults: unknown[] = []
  readonly #host: Host
  readonly #close: () => Promise<void>

  private constructor(store: JournalStore, vault: Vault) {
    const runtime = createRuntime()
    const journal = openJournal(store, runtime, shardLogDefaults, soleOwner(randomUUID()))
    this.#host = new Host({
      journal,
      vault,
      runtime,
      definitions: () => [passport, holder],
      limits: { ...defaultHostLimits, drainMs: 2_000 },
      report: (fault) => this.faults.push(fault),
    })
    this.#close = async () => {
      await this.#host[Symbol.asyncDispose]()
      await journal[Symbol.asyncDispose]()
    }
  }

  static async open(store: JournalStore, vault: Vault): Promise<PassportOffice> {
    const office = new PassportOffice(store, vault)
    await vault.makeTenant('ten_1')
    await office.#host.open(0)
    return office
  }

  ask(actor: string, command: PassportCommand): Promise<Passport> {
    return askById<Passport>(this.#host, actor, command, {
      commandId: randomUUID(),
      tenant: null,
      timeoutMs: 20_000,
    })
  }

  /** Decides nothing. */
  async read(actor: string): Promise<unknown> {
    return this.#host.read(actor as Ref<KindTypes>)
  }

  /** Leaves store and vault open. */
  async close(): Promise<void> {
    await this.#close()
  }
}

let count = 0

export const newId = (kind: 'pas' | 'hol' | 'ten'): string =>
  `${kind}_00${Date.now().toString(36)}${String(++count).padStart(6, '0')}`

/** A value that stands nowhere else. */
export const canary = (what: string): string => `Canary-${what}-${randomUUID()}`
