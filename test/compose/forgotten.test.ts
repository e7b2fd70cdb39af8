import { expect, it } from 'vitest'
import { composeForgotten } from '../../src/compose/forgotten.ts'
import { createRuntime } from '../../src/host/runtime.ts'

const sleepsShortly = { sleep: () => createRuntime().sleep(1) }
const done = () => Promise.resolve()

it('a record is forgotten when its webhooks are cut off, the lists show it as it is and its key is in no log', async () => {
  const order: string[] = []
  const forgotten = composeForgotten({
    cutOff: async (id) => void order.push(`cut off ${id}`),
    clearedOf: async (id) => void order.push(`listed ${id}`),
    keysCleaned: async () => void order.push('keys cleaned'),
    runtime: createRuntime(),
  })
  await forgotten('cre_1')
  expect(order).toEqual(['cut off cre_1', 'listed cre_1', 'keys cleaned'])
})

it('an erasure is not answered while the lists are behind, and can be repeated', async () => {
  const parts = { cutOff: done, keysCleaned: done, runtime: sleepsShortly }
  const behind = composeForgotten({ ...parts, clearedOf: () => new Promise(() => undefined) })
  await expect(behind('cre_1')).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1_000 })
  await composeForgotten({ ...parts, runtime: createRuntime(), clearedOf: done })('cre_1')
})
