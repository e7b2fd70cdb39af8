import type { LogSlot } from '../store-port.ts'

/** Knows which slots are copied for the first time: slots of the epoch that this process opened, not tried before. */
export class FirstCopies {
  readonly #shards = new Map<number, { readonly epoch: number; triedNo: number }>()

  opened({ shard, epoch, no }: LogSlot): void {
    this.#shards.set(shard, { epoch, triedNo: no })
  }

  isFirst({ shard, epoch, no }: LogSlot): boolean {
    const own = this.#shards.get(shard)
    return own !== undefined && own.epoch === epoch && no > own.triedNo
  }

  tried(slots: readonly LogSlot[]): void {
    for (const { shard, epoch, no } of slots) {
      const own = this.#shards.get(shard)
      if (own !== undefined && own.epoch === epoch) own.triedNo = Math.max(own.triedNo, no)
    }
  }
}
