// The platform comes first, because it loads the native libraries before Credo.
import { nodePlatform } from '../../sdk/node/platform.ts'
import type { Platform, WalletStorage } from '../../sdk/core/ports.ts'

class Killed extends Error {}

const throwKilled = (): never => {
  throw new Killed('the app is dead')
}

/**
 * The life of an app, which ends at the given point. Points are before and after each write to the storage and each
 * question over the network: in between nothing happens that others could notice, or that would be there at the next
 * start. From its end on nothing is written, sent or heard, as after SIGKILL.
 */
export class Life {
  readonly #end: number
  readonly #die: () => never
  #points = 0

  /** `die` is what happens there: where it is no real death, it throws. */
  constructor(end = Number.POSITIVE_INFINITY, die = throwKilled) {
    this.#end = end
    this.#die = die
  }

  get isOver(): boolean {
    return this.#points >= this.#end
  }

  async through<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#pass()
    const result = await work()
    this.#pass()
    return result
  }

  #pass(): void {
    if (!this.isOver) this.#points += 1
    if (this.isOver) this.#die()
  }
}

export type Surroundings = {
  readonly isOnline?: () => boolean
  readonly now?: () => number
  /** Where it looks for an address: somewhere else while the way there is blocked. */
  readonly wayTo?: (url: string) => string
}

export const mortalPlatform = (life: Life, { isOnline, now, wayTo }: Surroundings = {}): Platform => {
  const platform = nodePlatform()
  const { network, secureKeys, clock } = platform
  return {
    ...platform,
    clock: { ...clock, ...(now !== undefined && { now }) },
    network: {
      // Who stands in the way answers under the address that was asked.
      ask: (url, request) =>
        life.through(async () => {
          const way = wayTo?.(url) ?? url
          const answer = await network.ask(way, request)
          return way === url ? answer : { ...answer, url }
        }),
      isOnline: async () => (isOnline === undefined ? await network.isOnline() : isOnline()),
    },
    secureKeys: {
      ...secureKeys,
      write: (name, key) => life.through(() => secureKeys.write(name, key)),
    },
  }
}

export const mortalStorage = (storage: WalletStorage, life: Life): WalletStorage => ({
  ...storage,
  async open() {
    const opened = await storage.open()
    return { ...opened, write: (changes) => life.through(() => opened.write(changes)) }
  },
})
