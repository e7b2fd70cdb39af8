import { describe, expect, it } from 'vitest'
import {
  canonicalJson,
  fingerprintOf,
  runOncePerKey,
} from '../../../src/actors/idempotency-claim/idempotency.ts'
import { idempotencyClaimKind } from '../../../src/actors/idempotency-claim/index.ts'
import { claimOpenly } from '../../../src/actors/idempotency-claim/open-claim.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import type { IdempotentWork } from '../../../src/http/route/idempotency.ts'
import { hostsOfThisFile } from '../../host/parts/hosts.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { givenPorts } from '../given-ports.ts'

const open = hostsOfThisFile()
const body = { connectionId: 'con_1', attributes: { name: 'Ada' } }
const named = { tenant: 'ten_1', method: 'POST', path: '/v1/credentials/offer', key: 'key-1' }
const keyedBy = async (said: unknown) => ({
  ...named,
  fingerprint: await fingerprintOf(new MemoryVault(), named.tenant, canonicalJson(said)),
})

const start = async () => {
  const runtime = testRuntime()
  const definitions = [idempotencyClaimKind.definition(givenPorts({}))]
  const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
  const { host } = await open(new MemoryJournal(), { definitions, shards, runtime })
  const ports = { actors: host, vault: new MemoryVault(), runtime, runMs: 15_000 }
  let ids = 0
  const keyed = await keyedBy(body)
  const claim = () => claimOpenly(ports, keyed, `rec_${++ids}`)
  const records = new Set<string>()
  const work: IdempotentWork = {
    newRecordId: () => `rec_${++ids}`,
    run: async (id) => ({ status: 202, body: { id } }),
    showRecord: (id) => (records.has(id) ? { id } : null),
    createdStatus: 202,
    storedFields: [],
    secretFields: [],
  }
  return { claim, records, work, alone: () => runOncePerKey(ports, { ...named, body }, work), ports }
}

describe('a claim that is not held', () => {
  it('gives the next one the same record, at once', async () => {
    const { claim } = await start()
    expect(await claim()).toMatchObject({ is: 'claimed', recordId: 'rec_1', isNew: true })
    expect(await claim()).toMatchObject({ is: 'claimed', recordId: 'rec_1', isNew: false })
  })

  it('is that of a request by itself: whichever comes first, there is one record', async () => {
    const first = await start()
    await first.claim()
    expect(await first.alone()).toMatchObject({ answer: { status: 202, body: { id: 'rec_1' } } })
    const second = await start()
    expect(await second.alone()).toMatchObject({ answer: { status: 202, body: { id: 'rec_1' } } })
    expect(await second.claim()).toMatchObject({ recordId: 'rec_1', isNew: false })
  })

  it('is refused under a key of another body, and waits for a request that is under way', async () => {
    const { claim, ports, work } = await start()
    const never = { ...work, run: () => new Promise<never>(() => undefined) }
    void runOncePerKey(ports, { ...named, body }, never)
    await expect.poll(claim).toEqual({ is: 'in-progress' })
    const other = await keyedBy({})
    expect(await claimOpenly(ports, other, 'rec_9')).toEqual({ is: 'reused' })
  })

  it('gives its key back when it is refused, but not once somebody else has taken it over', async () => {
    const { claim, ports } = await start()
    const [mine, next] = [await claim(), await claim()]
    if (mine.is !== 'claimed' || next.is !== 'claimed') throw new Error('not claimed')
    const other = await keyedBy({})
    await mine.release()
    expect(await claimOpenly(ports, other, 'rec_9')).toEqual({ is: 'reused' })
    await next.release()
    expect(await claimOpenly(ports, other, 'rec_9')).toMatchObject({ recordId: 'rec_9', isNew: true })
  })
})
