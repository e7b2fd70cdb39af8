import { LRUCache } from 'lru-cache'
import { isRefused } from '../../domain/decider.ts'
import type { Ref } from '../../domain/references.ts'
import type { Actors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { refOfText } from '../ids.ts'
import { mediatedKey, type MediatedKeyTypes } from './rules.ts'

/** Some 25 MB at most. */
const KNOWN_MAX = 100_000

const refOf = (key: string): Ref<MediatedKeyTypes> => refOfText(mediatedKey, key)

/**
 * Which mailbox has a key, by one read of one actor at most, however many keys there are. Keys are base58. A claim stays as
 * long as the organisation of its wallet, so each node remembers those that it has met.
 */
export class KeyClaims {
  readonly #ports: { readonly actors: Actors; readonly runtime: Pick<Runtime, 'now'> }
  readonly #known = new LRUCache<string, string>({ max: KNOWN_MAX })

  constructor(ports: { readonly actors: Actors; readonly runtime: Pick<Runtime, 'now'> }) {
    this.#ports = ports
  }

  /** Null for a key that no wallet has registered. */
  async mailboxOf(key: string): Promise<string | null> {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const claim = await this.#ports.actors.read(refOf(key))
    if (isRefused(claim)) return null
    this.#known.set(key, claim.mailbox)
    return claim.mailbox
  }

  /** What was found under it led nowhere: its mailbox may have gone with an organisation, and the claim with it. */
  forget(key: string): void {
    this.#known.delete(key)
  }

  /** False where the key is another wallet's. */
  async claim(key: string, mailbox: string): Promise<boolean> {
    if (this.#known.get(key) === mailbox) return true
    const { actors, runtime } = this.#ports
    const command = { type: 'ClaimKey', atMs: runtime.now(), mailbox } as const
    // Whoever asks again for the same key and mailbox gets the same answer.
    const claim = await actors.ask(refOf(key), command, { commandId: `claim:${mailbox}`, tenant: null })
    if (isRefused(claim)) return false
    this.#known.set(key, mailbox)
    return true
  }
}
