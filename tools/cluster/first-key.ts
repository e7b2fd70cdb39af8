import { existsSync, writeFileSync } from 'node:fs'
import { orders } from '../../src/cli/orders.ts'
import { callService } from '../../src/cli/service-call.ts'
import { untilFound } from '../harness/waiting.ts'
import { type Layout, paths } from './layout.ts'

const LIMIT_MS = 120_000
const EVERY_MS = 250
const NAME = 'Registry of Example'

/** Makes an organisation and an API key for it at the first start, as its operator would, and keeps the key as a file. */
export const makeFirstKey = async (folder: string, layout: Layout): Promise<void> => {
  const { apiKey, data } = paths(folder)
  if (existsSync(apiKey)) return
  const calls = layout.nodes.map(({ number }) => callService(data(number)))
  /** At any node: one that does not answer for a record leaves it to the others. */
  const somewhere = async <Found>(ask: (call: (typeof calls)[number]) => Promise<Found>): Promise<Found> => {
    let last: unknown
    const look = async (): Promise<{ readonly found: Found } | null> => {
      for (const call of calls) {
        try {
          return { found: await ask(call) }
        } catch (error) {
          last = error
        }
      }
      return null
    }
    const otherwise = (): Error => (last instanceof Error ? last : new Error(String(last)))
    return (await untilFound(look, { limitMs: LIMIT_MS, everyMs: EVERY_MS, otherwise })).found
  }
  const { id } = await somewhere((call) => orders['tenant create'](call, { name: NAME }))
  const tenant = String(id)
  const { key } = await somewhere((call) => orders['key create'](call, { tenant, label: 'first key' }))
  writeFileSync(apiKey, `${String(key)}\n`, { mode: 0o600 })
}
