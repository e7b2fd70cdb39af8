import { describe, expect, it } from 'vitest'
import { idempotencyClaimKind } from '../../../src/actors/idempotency-claim/index.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import { runOncePerKey, type IdempotencyPorts } from '../../../src/actors/idempotency-claim/idempotency.ts'
import type { IdempotentAnswer, IdempotentWork } from '../../../src/http/route/idempotency.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import { givenPorts } from '../given-ports.ts'
import { hostsOfThisFile } from '../../host/parts/hosts.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'

const open = hostsOfThisFile()
const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
const body = { connectionId: 'con_1', attributes: { name: 'Ada' } }
const request = { tenant: 'ten_1', method: 'POST', path: '/v1/credentials/offer', key: 'key-1', body }

/** A route that creates records, which go on changing, and can be erased. */
const route = () => {
  const records = new Map<string, Record<string, unknown>>()
  const runs: string[] = []
  let status = 202
  let ids = 0
  let gate: Promise<void> = Promise.resolve()
  const work: IdempotentWork = {
    newRecordId: () => `rec_${++ids}`,
    run: async (recordId): Promise<IdempotentAnswer> => {
      runs.push(recordId)
      await gate
      if (status === 503) throw new AskFailed('unavailable', 'away', 100)
      if (status >= 400) return { status, body: { error: 'refused' } }
      const record = records.get(recordId) ?? { id: recordId, state: 'offered', attributes: body.attributes }
      records.set(recordId, record)
      return { status, body: record }
    },
    showRecord: async (recordId) => records.get(recordId) ?? null,
    createdStatus: 202,
    storedFields: ['state'],
    secretFields: [],
  }
  return {
    records,
    runs,
    work,
    answersWith: (next: number) => {
      status = next
    },
    waitsFor: (next: Promise<void>) => {
      gate = next
    },
  }
}

const start = async (journal = new MemoryJournal()) => {
  const vault = new MemoryVault()
  const runtime = testRuntime()
  const definitions = [idempotencyClaimKind.definition(givenPorts({}))]
  const { host } = await open(journal, { definitions, shards, runtime })
  const ports: IdempotencyPorts = { actors: host, vault, runtime, runMs: 15_000 }
  return { ports, journal, runtime, vault }
}

describe('an idempotent request', () => {
  it('runs once; the retry gets the same answer, also when the record has gone on', async () => {
    const { ports } = await start()
    const { work, runs, records } = route()
    const first = await runOncePerKey(ports, request, work)
    records.set('rec_1', { id: 'rec_1', state: 'done', attributes: body.attributes })
    const second = await runOncePerKey(ports, request, work)
    expect(first).toMatchObject({
      is: 'answer',
      isReplayed: false,
      answer: { status: 202, body: { id: 'rec_1', state: 'offered' } },
    })
    expect(second).toEqual({ ...first, isReplayed: true })
    expect(runs).toEqual(['rec_1'])
  })

  it('shows personal fields as null in a replay after the record was erased, and stores none of them', async () => {
    const { ports, journal } = await start()
    const { work, records } = route()
    await runOncePerKey(ports, request, work)
    records.set('rec_1', { id: 'rec_1', state: 'done', attributes: null })
    expect(await runOncePerKey(ports, request, work)).toMatchObject({
      answer: { body: { attributes: null, state: 'offered' } },
    })
    const stored = [...journal.events.values()].flat().map(({ data }) => {
      const [, sealed = ''] = /"sealedBody":"([^"]+)"/.exec(data) ?? []
      return data + Buffer.from(sealed, 'base64url').toString()
    })
    expect(stored.join()).toContain('offered')
    expect(stored.join()).not.toContain('Ada')
  })

  it('does not depend on the order of the properties of its body', async () => {
    const { ports } = await start()
    const { work, runs } = route()
    await runOncePerKey(ports, request, work)
    const reordered = { ...request, body: { attributes: body.attributes, connectionId: body.connectionId } }
    expect(await runOncePerKey(ports, reordered, work)).toMatchObject({ is: 'answer', isReplayed: true })
    expect(runs).toHaveLength(1)
  })

  it('is refused under the key of another body', async () => {
    const { ports } = await start()
    const { work } = route()
    await runOncePerKey(ports, request, work)
    expect(await runOncePerKey(ports, { ...request, body: { other: true } }, work)).toEqual({
      is: 'idempotency_key_reused',
    })
  })

  it.each([{ tenant: 'ten_2' }, { method: 'PUT' }, { path: '/v1/proofs/request' }, { key: 'key-2' }])(
    'has nothing to do with that of %j',
    async (changes) => {
      const { ports } = await start()
      const { work, runs } = route()
      await runOncePerKey(ports, request, work)
      await runOncePerKey(ports, { ...request, ...changes }, work)
      expect(runs).toEqual(['rec_1', 'rec_2'])
    },
  )

  it('is in progress while an equal one runs', async () => {
    const { ports } = await start()
    const { work, runs, waitsFor } = route()
    const gate = Promise.withResolvers<void>()
    waitsFor(gate.promise)
    const outcomes = Promise.all([1, 2, 3].map(() => runOncePerKey(ports, request, work)))
    await new Promise((resolve) => setTimeout(resolve, 50))
    gate.resolve()
    const kinds = (await outcomes).map(({ is }) => is).sort()
    expect(kinds).toEqual(['answer', 'idempotency_in_progress', 'idempotency_in_progress'])
    expect(runs).toHaveLength(1)
  })

  it('may use its key again after a refusal', async () => {
    const { ports } = await start()
    const { work, runs, answersWith } = route()
    answersWith(404)
    expect(await runOncePerKey(ports, request, work)).toMatchObject({ is: 'answer', answer: { status: 404 } })
    answersWith(202)
    expect(await runOncePerKey(ports, { ...request, body: { corrected: true } }, work)).toMatchObject({
      isReplayed: false,
    })
    expect(runs).toEqual(['rec_1', 'rec_2'])
  })

  it('keeps its key after the refusal of a retry: the first attempt may yet make the record', async () => {
    const { ports } = await start()
    const { work, runs, answersWith } = route()
    for (const status of [503, 404]) {
      answersWith(status)
      await runOncePerKey(ports, request, work).catch(() => undefined)
    }
    answersWith(202)
    const corrected = { ...request, body: { corrected: true } }
    expect(await runOncePerKey(ports, corrected, work)).toEqual({ is: 'idempotency_key_reused' })
    expect(await runOncePerKey(ports, request, work)).toMatchObject({ is: 'answer', answer: { status: 202 } })
    expect(runs).toEqual(['rec_1', 'rec_1', 'rec_1'])
  })

  it('runs again after a failure, with the same record id', async () => {
    const { ports } = await start()
    const { work, runs, answersWith } = route()
    answersWith(503)
    await expect(runOncePerKey(ports, request, work)).rejects.toThrow('away')
    answersWith(202)
    expect(await runOncePerKey(ports, request, work)).toMatchObject({ is: 'answer', isReplayed: false })
    expect(runs).toEqual(['rec_1', 'rec_1'])
  })

  it('is completed by the retry after a crash in the middle, with the same record id', async () => {
    const journal = new MemoryJournal()
    const crashed = await start(journal)
    const { work, runs, waitsFor } = route()
    waitsFor(new Promise(() => undefined))
    void runOncePerKey(crashed.ports, request, work)
    await expect.poll(() => runs).toEqual(['rec_1'])
    for (const shard of journal.opened.values()) shard.lose('fenced')
    waitsFor(Promise.resolve())
    const { ports, runtime } = await start(journal)
    expect(await runOncePerKey(ports, request, work)).toMatchObject({ is: 'idempotency_in_progress' })
    runtime.forward(15_000)
    expect(await runOncePerKey(ports, request, work)).toMatchObject({ is: 'answer', isReplayed: false })
    expect(runs).toEqual(['rec_1', 'rec_1'])
  })

  it('shows a secret once: the replay has null, and nothing keeps it', async () => {
    const { ports, vault } = await start()
    const { work, runs } = route()
    const sealed: string[] = []
    const openTenant = vault.openTenant.bind(vault)
    vault.openTenant = async (tenant) => {
      const seal = await openTenant(tenant)
      const spied = (text: string, context: string) => {
        sealed.push(text)
        return seal.seal(text, context)
      }
      return { ...seal, seal: spied }
    }
    const secret: IdempotentWork = {
      ...work,
      run: async (recordId, run) => {
        const answer = await work.run(recordId, run)
        return { ...answer, body: { ...answer.body, secret: 'canary' } }
      },
      secretFields: ['secret'],
    }
    const first = await runOncePerKey(ports, request, secret)
    expect(first).toMatchObject({ answer: { body: { id: 'rec_1', secret: 'canary' } }, isReplayed: false })
    const second = await runOncePerKey(ports, request, secret)
    expect(second).toMatchObject({ answer: { body: { id: 'rec_1', secret: null } }, isReplayed: true })
    expect(runs).toEqual(['rec_1'])
    expect(sealed.join()).not.toContain('canary')
  })

  it('that makes a secret is run again after a crash, with the same record id, although the record is there', async () => {
    const journal = new MemoryJournal()
    const crashed = await start(journal)
    const { work, runs, records } = route()
    const secret: IdempotentWork = { ...work, secretFields: ['secret'] }
    const neverDone: IdempotentWork = {
      ...secret,
      run: async (recordId, run) => {
        await work.run(recordId, run)
        return new Promise(() => undefined)
      },
    }
    void runOncePerKey(crashed.ports, request, neverDone)
    await expect.poll(() => records.size).toBe(1)
    for (const shard of journal.opened.values()) shard.lose('fenced')
    const { ports, runtime } = await start(journal)
    runtime.forward(15_000)
    expect(await runOncePerKey(ports, request, secret)).toMatchObject({ is: 'answer' })
    expect(runs).toEqual(['rec_1', 'rec_1'])
  })

  it('is answered although the claim cannot be told', async () => {
    const { ports, vault } = await start()
    const { work, runs } = route()
    vault.openTenant = () => Promise.reject(new Error('away'))
    expect(await runOncePerKey(ports, request, work)).toMatchObject({ is: 'answer', answer: { status: 202 } })
    expect(runs).toEqual(['rec_1'])
  })

  it('forgets its answer after a day', async () => {
    const { ports, runtime } = await start()
    const { work, runs } = route()
    await runOncePerKey(ports, request, work)
    runtime.forward(24 * 3_600_000)
    await runOncePerKey(ports, { ...request, body: { new: true } }, work)
    expect(runs).toEqual(['rec_1', 'rec_2'])
  })
})

describe('nodes whose clocks are ten minutes apart', () => {
  const APART_MS = 600_000
  /** As a node sees it whose clock is another than that of the node which has the claim. */
  const nodeAhead = (ports: IdempotencyPorts, byMs: number): IdempotencyPorts => ({
    ...ports,
    runtime: { ...ports.runtime, now: () => ports.runtime.now() + byMs },
  })

  it.each([
    ['ahead', APART_MS],
    ['behind', -APART_MS],
  ])('do not run a request a second time, the second node being %s', async (_, byMs) => {
    const { ports } = await start()
    const { work, runs, waitsFor } = route()
    const gate = Promise.withResolvers<void>()
    waitsFor(gate.promise)
    const first = runOncePerKey(ports, request, work)
    await expect.poll(() => runs.length).toBe(1)
    expect(await runOncePerKey(nodeAhead(ports, byMs), request, work)).toMatchObject({
      is: 'idempotency_in_progress',
    })
    gate.resolve()
    expect(await first).toMatchObject({ is: 'answer', isReplayed: false })
    expect(runs).toEqual(['rec_1'])
  })

  it('do not wait for one that died longer than it may take', async () => {
    const { ports, runtime } = await start()
    const { work, runs, waitsFor } = route()
    waitsFor(new Promise(() => undefined))
    void runOncePerKey(nodeAhead(ports, APART_MS), request, work)
    await expect.poll(() => runs.length).toBe(1)
    runtime.forward(15_001)
    waitsFor(Promise.resolve())
    expect(await runOncePerKey(ports, request, work)).toMatchObject({ is: 'answer', isReplayed: false })
    expect(runs).toEqual(['rec_1', 'rec_1'])
  })

  it('repeat an answer for a day, and no longer', async () => {
    const { ports, runtime } = await start()
    const { work, runs } = route()
    await runOncePerKey(nodeAhead(ports, -APART_MS), request, work)
    runtime.forward(24 * 3_600_000 - 10_000)
    expect(await runOncePerKey(nodeAhead(ports, APART_MS), request, work)).toMatchObject({ isReplayed: true })
    runtime.forward(10_001)
    expect(await runOncePerKey(nodeAhead(ports, -APART_MS), request, work)).toMatchObject({
      isReplayed: false,
    })
    expect(runs).toHaveLength(2)
  })
})
