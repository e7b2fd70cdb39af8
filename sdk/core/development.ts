import { overHttpToo } from './network/plain-addresses.ts'
import type { Platform } from './ports.ts'
import { refuseInRelease } from './release-build.ts'
import { Sdk } from './sdk.ts'

export * from './public.ts'

refuseInRelease()

/** For adapters, while an app is written: the SDK that speaks plain http too. A release build cannot load this file. */
export const sdkOn = (platform: Platform): Sdk => {
  refuseInRelease()
  return new Sdk(platform, overHttpToo)
}
