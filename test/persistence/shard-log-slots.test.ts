import { describe, expect, it } from 'vitest'
import { StoreCalls, batchIdOf, ownerOf, settleSlot } from '../../src/persistence/store-calls.ts'
import { shardLogDefaults } from '../../src/persistence/shard-log-settings.ts'
import { StoreFailure, type LogSlot } from '../../src/persistence/store-port.ts'
import { journalStoreFor } from '../../tools/simulate/store-clients.ts'
import { ModelJournal } from './model-journal.ts'

const open: LogSlot = { shard: 0, no: 0, epoch: 1, batchId: 'one/a', record: { kind: 'open', node: 'one' } }

const begin = () => {
  const model = new ModelJournal()
  const process = model.process('one')
  const store = journalStoreFor(process, model.network, model.model)
  const { signal } = new AbortController()
  return { model, store, signal, calls: new StoreCalls(process.runtime, shardLogDefaults, signal) }
}

describe('a slot', () => {
  it('is ours also when an earlier attempt, whose answer was lost, had written it', async () => {
    const { model, store, signal, calls } = begin()
    let appends = 0
    const forgetful: typeof store = {
      ...store,
      append: async (slot) => {
        const outcome = await store.append(slot)
        if (++appends === 1) throw new StoreFailure('unknown', 'timeout')
        return outcome
      },
    }
    expect(await model.settle(settleSlot(forgetful, calls, open, signal))).toBe('ours')
    expect(appends).toBe(2)
  })

  it("is another's when another batch is in it", async () => {
    const { model, store, signal, calls } = begin()
    await model.settle(settleSlot(store, calls, open, signal))
    const rival: LogSlot = { ...open, batchId: 'two/b', record: { kind: 'open', node: 'two' } }
    expect(await model.settle(settleSlot(store, calls, rival, signal))).toBe('theirs')
  })

  it('can be gone', async () => {
    const { model, store, signal, calls } = begin()
    const retired: typeof store = { ...store, append: () => Promise.resolve({ is: 'retired' }) }
    expect(await model.settle(settleSlot(retired, calls, open, signal))).toBe('retired')
  })
})

describe('a batch id', () => {
  it.each(['node-1~u7', 'with/slash~u7', ''])('names its owner %j', (owner) => {
    expect(ownerOf(batchIdOf(owner, 'u9'))).toBe(owner)
  })
})
