import type { PresentationInput } from '../../src/ports/anoncreds.ts'
import { AnonCredsService } from '../../src/anoncreds/anoncreds.ts'

let service: AnonCredsService | null = null

export function start(workers: number): void {
  service = new AnonCredsService({ engine: 'native', workers, queueMax: 10_000 })
}

/** Verifications per second with always some waiting. */
export async function verificationsPerS(input: PresentationInput, durationMs: number): Promise<number> {
  const anoncreds = service
  if (!anoncreds) throw new Error('start was not called')
  const startedAt = performance.now()
  let done = 0
  const client = async (tenant: number): Promise<void> => {
    while (performance.now() - startedAt < durationMs) {
      if (!(await anoncreds.verifyPresentation(`tenant ${tenant}`, input))) throw new Error('refused')
      done += 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, tenant) => client(tenant)))
  return done / ((performance.now() - startedAt) / 1_000)
}
