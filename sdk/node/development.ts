// The platform comes first, because it loads the native libraries before Credo.
import { nodePlatform, type NodeOptions } from './platform.ts'
import { type Sdk, sdkOn } from '../core/development.ts'

export * from '../core/public.ts'
export { folderStorage } from './folder-storage.ts'
export type { NodeOptions } from './platform.ts'

/** A wallet in this process that speaks plain http too, for a service on the developer's own machine. */
export const createSdk = (options: NodeOptions = {}): Sdk => sdkOn(nodePlatform(options))
