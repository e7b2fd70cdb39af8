import { describe, expect, it } from 'vitest'
import { VdrReads } from '../../src/ledger/vdr-reads.ts'
import { LedgerBusy, type LedgerQuestion, LedgerUnavailable } from '../../src/ports/ledger.ts'
import { eventually } from '../eventually.ts'

const nym = (number: number): LedgerQuestion => ({ kind: 'nym', did: `did${number}` })
const definition: LedgerQuestion = { kind: 'definition', id: 'D:3:CL:7:default' }

describe('what strangers read of the ledger', () => {
  it('is one request to the ledger, however many ask the same', async () => {
    let asked = 0
    const reads = new VdrReads({
      read: async () => {
        asked += 1
        return '{"data":{"primary":{}},"seqNo":9}'
      },
    })
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => reads.answer(definition)))
    await reads.answer(definition)
    expect(asked).toBe(1)
    expect(answers[999]).toEqual({
      text: '{"op":"REPLY","result":{"data":{"primary":{}},"seqNo":9}}',
      cacheSeconds: 3_600,
    })
  })

  it('has eight places, and room to wait for a few more', async () => {
    const held: (() => void)[] = []
    const reads = new VdrReads({
      read: () => new Promise((resolve) => held.push(() => resolve('{"data":null}'))),
      waitingMax: 2,
    })
    const asked = Array.from({ length: 10 }, (_, number) => reads.answer(nym(number)))
    await eventually(() => expect(held).toHaveLength(8))
    await expect(reads.answer(nym(10))).rejects.toThrow(LedgerBusy)
    while (held.length > 0) {
      held.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await Promise.all(asked)).toHaveLength(10)
  })

  it('keeps what changes for a minute, absence for a moment, and no failure', async () => {
    const answers: Record<string, string> = {
      did0: '{"data":"{}","seqNo":1}',
      did1: '{"data":null,"seqNo":null}',
    }
    const reads = new VdrReads({
      read: async (question) => {
        const found = answers[question.kind === 'nym' ? question.did : '']
        if (found === undefined) throw new Error('away')
        return found
      },
    })
    expect(await reads.answer(nym(0))).toMatchObject({ cacheSeconds: 60 })
    expect(await reads.answer(nym(1))).toMatchObject({ cacheSeconds: 5 })
    await expect(reads.answer(nym(2))).rejects.toThrow('away')
    answers['did2'] = '{"data":"{}"}'
    expect(await reads.answer(nym(2))).toMatchObject({ cacheSeconds: 60 })
  })

  it('says of what it has kept for a while how long that may still be kept', async () => {
    let nowMs = 1_000
    let asked = 0
    const reads = new VdrReads({
      read: async () => {
        asked += 1
        return '{"data":"{}","seqNo":1}'
      },
      clock: { now: () => nowMs },
    })
    const seconds: number[] = []
    for (const aheadMs of [0, 20_000, 39_500, 501]) {
      nowMs += aheadMs
      seconds.push((await reads.answer(nym(1))).cacheSeconds)
    }
    expect([seconds, asked]).toEqual([[60, 40, 0, 60], 2])
  })

  it('keeps no more than so much of it, however large each answer is', async () => {
    const asked: string[] = []
    const reads = new VdrReads({
      read: async (question) => {
        const name = question.kind === 'definition' ? question.id : ''
        asked.push(name)
        return JSON.stringify({ data: { primary: 'n'.repeat(name === 'huge' ? 5_000 : 900) }, seqNo: 1 })
      },
      charactersMax: 3_000,
    })
    const read = (id: string) => reads.answer({ kind: 'definition', id })
    for (const id of ['a', 'b', 'c', 'd', 'd', 'huge', 'huge', 'a']) await read(id)
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'huge', 'huge', 'a'])
  })

  it('asks nothing while the pool is away, and still has what it knows', async () => {
    let isAway = false
    let asked = 0
    const reads = new VdrReads({
      read: async () => {
        asked += 1
        return '{"data":"{}","seqNo":1}'
      },
      isAway: () => isAway,
    })
    await reads.answer(nym(1))
    isAway = true
    await expect(reads.answer(nym(2))).rejects.toThrow(LedgerUnavailable)
    expect(await reads.answer(nym(1))).toMatchObject({
      text: '{"op":"REPLY","result":{"data":"{}","seqNo":1}}',
    })
    expect(asked).toBe(1)
    isAway = false
    await reads.answer(nym(2))
    expect(asked).toBe(2)
  })
})
