// POSTs of the same size over undici, so many at once, and nothing else: no journal, no signature, no schedule.
import { Pool } from 'undici'

export async function run(
  url: string,
  body: string,
  count: number,
  atOnce: number,
): Promise<{ readonly perS: number }> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: atOnce, pipelining: 1 })
  const headers = { 'Content-Type': 'application/json' }
  const startedMs = performance.now()
  let begun = 0
  const worker = async (): Promise<void> => {
    while (begun++ < count) {
      const { body: answer } = await pool.request({ path: pathname, method: 'POST', headers, body })
      await answer.dump()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const tookS = (performance.now() - startedMs) / 1_000
  await pool.close()
  return { perS: count / tookS }
}
