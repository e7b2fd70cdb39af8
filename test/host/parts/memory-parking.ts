import type { Parked, Parking, ToPark } from '../../../src/ports/parking.ts'
import { ParkingFull } from '../../../src/ports/parking.ts'

/** What is parked, in memory; entries in the log of an actor `prk_…` are of it. */
export class MemoryParking implements Parking {
  parked: readonly Parked[] = []
  readonly kept: string[] = []
  isFull = false
  capacity = Number.POSITIVE_INFINITY

  isChangedBy(actor: string): boolean {
    return actor.startsWith('prk_')
  }

  async of(): Promise<readonly Parked[]> {
    return this.parked
  }

  async park(_shard: number, record: ToPark): Promise<void> {
    const { part, recordId, from = null, held } = record
    const id = `${part} ${recordId}`
    if (this.parked.some((each) => each.id === id)) return
    if (this.isFull || this.parked.length >= this.capacity) throw new ParkingFull('no more')
    const more = { error: 'Error', sinceMs: 0, attempts: 1, isRetryAsked: false }
    this.parked = [
      ...this.parked,
      { id, part, recordId, from, held: held === undefined ? [] : [held], ...more },
    ]
  }

  async hold(): Promise<boolean> {
    return false
  }

  async keep(_shard: number, id: string): Promise<void> {
    this.kept.push(id)
    this.#change(id, false)
  }

  async release(_shard: number, id: string): Promise<void> {
    this.parked = this.parked.filter((each) => each.id !== id)
  }

  /** As an operator does; the order stands in the log too. */
  askRetry(id: string): void {
    this.#change(id, true)
  }

  #change(id: string, isRetryAsked: boolean): void {
    this.parked = this.parked.map((each) => (each.id === id ? { ...each, isRetryAsked } : each))
  }
}
