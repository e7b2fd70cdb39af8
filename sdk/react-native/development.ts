import { type Sdk, sdkOn } from '../core/development.ts'
import type { NativeModules } from './modules.ts'
import { phonePlatform } from './phone-platform.ts'

export * from '../core/public.ts'
export { phoneStorage as databaseStorage } from './phone-storage.ts'
export type * from './modules.ts'

/** A wallet on a phone that speaks plain http too, for a service on the developer's own machine. */
export const createSdk = (modules: NativeModules): Sdk => sdkOn(phonePlatform(modules))
