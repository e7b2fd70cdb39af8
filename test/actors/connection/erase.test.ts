import { describe, expect, it } from 'vitest'
import { connectionErasures, type ErasurePorts } from '../../../src/actors/connection/erase.ts'
import { PREFIX } from '../../../src/domain/message-prefix.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const [tenant, id] = ['ten_00aaaaaaaa', 'con_00aaaaaaaa']
const connection = {
  tenant,
  status: 'completed',
  theirService: { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] },
  ownSeed: 'seed',
}
const exchange = { status: 'offer-sent', threadId: 'cre_00aaaaaaaa', prefix: PREFIX }

/** Erases a connection with one exchange that runs. */
const erasing = async (
  organisation: () => unknown,
  times = 1,
  exchangeNow: (done: string[]) => unknown = () => exchange,
) => {
  const done: string[] = []
  const ports = {
    runtime: createRuntime(),
    directory: {
      list: async ({ kind }: { kind: string }) => ({
        rows: kind === 'credential' ? [{ id: exchange.threadId }] : [],
        total: kind === 'credential' ? 1 : 0,
      }),
    },
    deliver: async () => void done.push('told'),
    forgotten: async () => void done.push('forgotten'),
    actors: actorsThat({
      read: (of: string) => {
        if (of === tenant) return organisation()
        return of === id ? connection : exchangeNow(done)
      },
      ask: async (_: string, { type, atMs: updatedAtMs }: { type: string; atMs: number }) => {
        done.push(type)
        return { status: 'closed', updatedAtMs }
      },
    }),
  }
  const erase = connectionErasures(ports as unknown as ErasurePorts)
  for (let each = 0; each < times; each++) await erase({ tenant, id, by: 'operator' })
  return done
}

describe('the holder of a connection that is erased', () => {
  const all = ['CloseConnection', 'told', 'EraseRecord', 'forgotten']

  it('hears so before the keys go, also where the organisation is known to another node alone', async () => {
    expect(await erasing(() => ({ status: 'active', rests: [] }))).toEqual(all)
    expect(await erasing(() => ({ status: 'suspended', rests: [] }))).toEqual(all)
    const elsewhere = () => Promise.reject(new AskFailed('not_owner', 'elsewhere', 1))
    expect(await erasing(elsewhere)).toEqual(all)
  })

  it('hears nothing from the moment on in which that was ordered, through whichever node', async () => {
    let asked = 0
    const organisation = () => ({ status: ++asked === 1 ? 'active' : 'deletion_ordered', rests: [] })
    expect(await erasing(organisation, 2)).toEqual([...all, ...all.filter((each) => each !== 'told')])
  })

  it('hears so behind the offer that was under way, within a time', async () => {
    let looks = 0
    const underWay = (done: string[]) => {
      const delivered = ++looks === 4
      if (delivered) done.push('offer arrived')
      return { ...exchange, delivered }
    }
    const active = () => ({ status: 'active', rests: [] })
    const [closed, ...rest] = all
    expect(await erasing(active, 1, underWay)).toEqual([closed, 'offer arrived', ...rest])
    expect(await erasing(active, 1, () => ({ ...exchange, delivered: false }))).toEqual(all)
  })

  it('hears nothing while the organisation is to be deleted', async () => {
    const silent = all.filter((each) => each !== 'told')
    expect(await erasing(() => ({ status: 'deletion_ordered', rests: [] }))).toEqual(silent)
  })
})

describe('a connection that another node is erasing at the moment', () => {
  const closed = {
    ...connection,
    status: 'closed',
    updatedAtMs: 1,
    closing: { by: 'operator', exchanges: null },
  }

  /** What is done here, by when reading the connection shows that it is erased, one time after the other. */
  const erasedHere = async (
    shown: readonly (number | null)[],
    { by = 'operator', first = 'closed' }: { readonly by?: string; readonly first?: string } = {},
  ) => {
    const done: string[] = []
    const left = [...shown]
    const ports = {
      runtime: createRuntime(),
      forgotten: async () => void done.push('forgotten'),
      actors: actorsThat({
        read: () => {
          const [erasedAtMs = null] = left.length > 1 ? left.splice(0, 1) : left
          if (erasedAtMs !== null) done.push('erased there')
          const status = left.length === shown.length - 1 ? first : 'closed'
          return { ...closed, status, closing: { ...closed.closing, by }, erasedAtMs }
        },
        ask: async (_: string, { type }: { type: string }) => {
          done.push(type)
          return { ...closed, erasedAtMs: type === 'EraseRecord' ? 2 : null }
        },
      }),
    }
    const startedMs = performance.now()
    await connectionErasures(ports as unknown as ErasurePorts)({ tenant, id, by: 'operator' })
    return { done, tookMs: performance.now() - startedMs }
  }

  it('has its holder told before its keys go', async () => {
    const { done } = await erasedHere([null, null, null, 1])
    expect(done).toEqual(['erased there', 'EraseRecord', 'forgotten'])
    const atOnce = await erasedHere([null, null, null, 1], { first: 'completed' })
    expect(atOnce.done).toEqual(['CloseConnection', 'erased there', 'EraseRecord', 'forgotten'])
  })

  it('is erased here where that node has died since', async () => {
    const { done, tookMs } = await erasedHere([null])
    expect(done).toEqual(['EraseRecord', 'forgotten'])
    expect(tookMs).toBeGreaterThan(1_000)
    expect(tookMs).toBeLessThan(4_000)
  })

  it('is erased at once where it is erased already, or its wallet had hung up', async () => {
    expect((await erasedHere([1])).tookMs).toBeLessThan(500)
    expect((await erasedHere([null], { by: 'holder' })).tookMs).toBeLessThan(500)
  })
})
