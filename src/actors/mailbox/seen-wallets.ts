import { LRUCache } from 'lru-cache'
import type { Actors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { SEEN_AGAIN_MS, wallet } from '../wallet/rules.ts'

/** Some 20 MB at most. */
const KNOWN_MAX = 100_000

/**
 * When wallets were there last. A wallet that polls is there every ten seconds, so its record learns of it no more than once
 * in a while.
 */
export class SeenWallets {
  readonly #ports: { readonly actors: Actors; readonly runtime: Runtime }
  readonly #atMs = new LRUCache<string, number>({ max: KNOWN_MAX })

  constructor(ports: { readonly actors: Actors; readonly runtime: Runtime }) {
    this.#ports = ports
  }

  saw(walletId: string): void {
    const { actors, runtime } = this.#ports
    const atMs = runtime.now()
    const before = this.#atMs.get(walletId)
    if (before !== undefined && atMs < before + SEEN_AGAIN_MS) return
    this.#atMs.set(walletId, atMs)
    const command = { type: 'RecordWalletSeen', atMs } as const
    const options = { commandId: `seen:${runtime.newId()}`, tenant: null, mayLinger: true }
    // The wallet has come for its messages, which do not wait for this.
    actors.ask(wallet.ref(walletId), command, options).catch(() => this.#atMs.delete(walletId))
  }
}
