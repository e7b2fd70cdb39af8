// The platform comes first, because it loads the native libraries before Credo.
import { nodePlatform, type NodeOptions } from './platform.ts'
import { type Sdk, sdkOn } from '../core/index.ts'

export * from '../core/public.ts'
export { folderStorage } from './folder-storage.ts'
export type { NodeOptions } from './platform.ts'

/** A wallet in this process. */
export const createSdk = (options: NodeOptions = {}): Sdk => sdkOn(nodePlatform(options))
