import type { DidCommConnectionRecord } from '@credo-ts/didcomm'
import { expect, it } from 'vitest'
import type { Inbox } from '../../../sdk/core/mail/inbox.ts'
import { Mail } from '../../../sdk/core/mail/mail.ts'
import type { Mediator } from '../../../sdk/core/mail/mediator.ts'
import { Outbox } from '../../../sdk/core/mail/outbox.ts'
import type { Pickup } from '../../../sdk/core/mail/pickup.ts'
import { overHttps } from '../../../sdk/core/network/addresses.ts'
import { Questions } from '../../../sdk/core/network/questions.ts'
import { RowStore } from '../../../sdk/core/rows/row-store.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import { MemoryKeys, MemoryStorage, ScriptedNetwork, SteppedClock } from '../fakes.ts'

const SILENT = 'https://silent.example/didcomm'

it('a sync asks an address that says nothing once, however much it fetches, and the next sync again', async () => {
  const network = new ScriptedNetwork(() => new Error('the time is up'))
  const rows = await RowStore.open(new MemoryStorage(), new MemoryKeys(), sodiumCryptography)
  const outbox = new Outbox({
    rows,
    questions: new Questions(network, overHttps),
    received: () => undefined,
    clock: new SteppedClock(),
    givenUp: async () => undefined,
  })
  await rows.step(async () =>
    outbox.add({ endpoint: SILENT, payload: 'x', connectionId: null, threadId: null }),
  )
  let deliveries: number[] = []
  let unread = 0
  const mail = new Mail({
    outbox,
    inbox: {
      read: async () => {
        const read = unread
        unread = 0
        return read
      },
    } as unknown as Inbox,
    mediator: { ready: async () => ({ connection: {} as DidCommConnectionRecord }) } as unknown as Mediator,
    pickup: {
      fetch: async () => {
        unread = deliveries.shift() ?? 0
        return unread
      },
    } as unknown as Pickup,
  })
  for (const count of [1, 2]) {
    deliveries = [20, 20, 3]
    expect(await mail.sync()).toEqual({ received: 43, waiting: 1 })
    expect(network.asked).toHaveLength(count)
  }
})
