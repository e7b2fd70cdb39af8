import { overHttps } from './network/addresses.ts'
import type { Platform } from './ports.ts'
import { Sdk } from './sdk.ts'

export * from './public.ts'

/** For adapters: the SDK on a machine. It speaks https alone, and there is nothing that changes that. */
export const sdkOn = (platform: Platform): Sdk => new Sdk(platform, overHttps)
