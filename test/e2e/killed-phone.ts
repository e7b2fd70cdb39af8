import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
// The platform comes first, because it loads the native libraries before Credo.
import { nodePlatform } from '../../sdk/node/platform.ts'
import { sdkOn } from '../../sdk/core/development.ts'
import type { Platform, WalletStorage } from '../../sdk/core/ports.ts'
import type { Sdk } from '../../sdk/core/sdk.ts'
import { folderStorage } from '../../sdk/node/folder-storage.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { walletFor } from './mediated-phone.ts'
import type { ServiceUnderTest } from './service-under-test.ts'

class Killed extends Error {}

/**
 * The life of an app, which ends at the given point. Points are before and after each write to the storage and each
 * question over the network: in between nothing happens that others could notice, or that would be there at the next
 * start. From its end on nothing is written, sent or heard, as after SIGKILL.
 */
export class Life {
  readonly #end: number
  #points = 0

  constructor(end = Number.POSITIVE_INFINITY) {
    this.#end = end
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
    if (this.isOver) throw new Killed('the app is dead')
  }
}

type Surroundings = { readonly isOnline?: () => boolean; readonly now?: () => number }

const mortalPlatform = (life: Life, { isOnline, now }: Surroundings): Platform => {
  const platform = nodePlatform()
  const { network, secureKeys, clock } = platform
  return {
    ...platform,
    clock: { ...clock, ...(now !== undefined && { now }) },
    network: {
      ask: (url, request) => life.through(() => network.ask(url, request)),
      isOnline: async () => (isOnline === undefined ? await network.isOnline() : isOnline()),
    },
    secureKeys: {
      ...secureKeys,
      write: (name, key) => life.through(() => secureKeys.write(name, key)),
    },
  }
}

const mortalStorage = (storage: WalletStorage, life: Life): WalletStorage => ({
  ...storage,
  async open() {
    const opened = await storage.open()
    return { ...opened, write: (changes) => life.through(() => opened.write(changes)) }
  },
})

/** An installation whose app is killed and started again. */
export const killedPhone = (
  service: Pick<ServiceUnderTest, 'url' | 'apiKey' | 'send'>,
  surroundings: Surroundings = {},
) => {
  const installation = randomUUID()
  // One address for its whole life, also where each request of a test goes to another node.
  const baseUrl = service.url()
  const folder = temporaryFolder('vouchsafe-killed')
  let sdk: Sdk | null = null
  const close = async (): Promise<void> => {
    await sdk?.close()
    sdk = null
  }
  onTestFinished(close)
  return {
    life: new Life(),
    /** The app as it runs, or started with another life. */
    async open(life: Life = new Life()): Promise<Sdk> {
      if (sdk !== null) return sdk
      const started = sdkOn(mortalPlatform(life, surroundings))
      sdk = started
      await started.initialize({
        baseUrl,
        tokenProvider: async () => String((await walletFor(service, installation))['walletToken']),
        storage: mortalStorage(folderStorage(folder), life),
      })
      started.background().catch(() => undefined)
      return started
    },
    close,
  }
}

export type KilledPhone = ReturnType<typeof killedPhone>
