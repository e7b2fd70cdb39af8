import { burdenOf, hasShare } from './shares.ts'

/** How many of the places of one invitation are taken, and by which networks as far as that is known. */
export class Places {
  readonly #max: number
  readonly #byNetwork = new Map<string, number>()
  #taken: number

  constructor(max: number, taken: number) {
    this.#max = max
    this.#taken = taken
  }

  get isFull(): boolean {
    return this.#taken >= this.#max
  }

  /** One of those that are taken is of these networks. */
  know(networks: readonly string[]): void {
    this.#count(networks, 1)
  }

  change(networks: readonly string[], by: 1 | -1): void {
    this.#taken += by
    this.#count(networks, by)
  }

  hasOne(networks: readonly string[]): boolean {
    return hasShare(this.#max, this.#taken, this.#ownsOf(networks))
  }

  /** Of a network that is not known any more: 0. */
  burdenOf(networks: readonly string[]): number {
    return burdenOf(this.#ownsOf(networks))
  }

  #ownsOf(networks: readonly string[]): readonly number[] {
    return networks.map((network) => this.#byNetwork.get(network) ?? 0)
  }

  #count(networks: readonly string[], by: 1 | -1): void {
    for (const network of networks) this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? 0) + by)
  }
}
