import { type Sdk, sdkOn } from '../core/index.ts'
import type { NativeModules } from './modules.ts'
import { phonePlatform } from './phone-platform.ts'

export * from '../core/public.ts'
export {
  type AwsLivenessModule,
  awsCapture,
  type AzureLivenessModule,
  azureCapture,
  type NativeOutcome,
} from './face-captures.ts'
export type * from './modules.ts'
export { phoneStorage as databaseStorage } from './phone-storage.ts'

/** A wallet on a phone. The native libraries are imported before this file, because Credo takes them when it loads. */
export const createSdk = (modules: NativeModules): Sdk => sdkOn(phonePlatform(modules))
