// The native libraries come first: Credo takes what is registered when it loads.
import { libraries } from './native.ts'
import type { Platform, SecureKeys } from '../core/ports.ts'
import { keyFiles } from './key-files.ts'
import { nodeNetwork } from './network.ts'
import { sodiumCryptography } from './sodium-cryptography.ts'

export type NodeOptions = {
  /** Instead of a file beside the wallet. */
  readonly secureKeys?: SecureKeys
}

export const nodePlatform = ({ secureKeys = keyFiles }: NodeOptions = {}): Platform => ({
  secureKeys,
  clock: {
    now: () => Date.now(),
    after(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
  },
  network: nodeNetwork,
  cryptography: sodiumCryptography,
  libraries,
})
