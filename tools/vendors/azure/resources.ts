import { timingSafeEqual } from 'node:crypto'
import { headerOf, type WireRequest } from '../wire/request-and-reply.ts'

/** A Face resource of somebody's subscription. */
export type AzureResource = {
  readonly name: string
  /** Two at a time, so that one can be changed while the other is in use. */
  readonly keys: readonly string[]
  /** Whether the vendor has approved face verification for it, which is Limited Access. */
  readonly isApproved: boolean
}

/** Which resource a key opens. All share one address here; at the vendor each has its own. */
export class Resources {
  readonly #resources = new Map<string, AzureResource>()

  /** Instead of what was known of the resource of this name. */
  put(resource: AzureResource): void {
    this.#resources.set(resource.name, resource)
  }

  of(request: WireRequest): AzureResource | undefined {
    const key = Buffer.from(headerOf(request, 'ocp-apim-subscription-key') ?? '')
    return [...this.#resources.values()].find(({ keys }) =>
      keys.some(
        (each) => each.length === key.length && key.length > 0 && timingSafeEqual(Buffer.from(each), key),
      ),
    )
  }
}
