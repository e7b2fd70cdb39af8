import { limits } from '../../domain/limits.ts'

/** Places for bodies that are larger than most, a few for each organisation: its images leave room for others. */
export class LargeBodies {
  readonly #taken = new Map<string, number>()

  take(tenant: string): boolean {
    const taken = this.#taken.get(tenant) ?? 0
    if (taken >= limits.imageBodiesOfTenantMax) return false
    this.#taken.set(tenant, taken + 1)
    return true
  }

  free(tenant: string): void {
    const taken = this.#taken.get(tenant) ?? 0
    if (taken > 1) this.#taken.set(tenant, taken - 1)
    else this.#taken.delete(tenant)
  }
}
