import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Batch,
  BatchBroken,
  BATCH_HEAD_BYTES,
  failures,
  type Frame,
  frameBytes,
  readBatch,
  wasNotBegun,
  writeBatch,
} from '../../../src/cluster/link/batch.ts'
import { batchOrder } from '../../../src/cluster/link/outbox.ts'

const id = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const body = fc.uint8Array({ maxLength: 300 })
const service = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '.', '/', '0', '9'),
  minLength: 1,
  maxLength: 64,
})
const frame: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({ is: fc.constant('request' as const), id, leftMs: id, service, body }),
  fc.record({ is: fc.constant('answer' as const), id, body }),
  fc.record({ is: fc.constant('failure' as const), id, why: fc.constantFrom(...failures) }),
  fc.constant({ is: 'goodbye' as const }),
)
const batch: fc.Arbitrary<Batch> = fc.record({
  number: id,
  sentAtMs: fc.double({ min: 0, max: 1e12, noNaN: true }),
  frames: fc.array(frame, { maxLength: 20 }),
})
const written = (each: Batch): Buffer =>
  writeBatch(
    each,
    each.frames.reduce((sum, one) => sum + frameBytes(one), 0),
  )
const plain = ({ frames, ...rest }: Batch) => ({
  ...rest,
  frames: frames.map((each) => ('body' in each ? { ...each, body: [...each.body] } : each)),
})

describe('a batch', () => {
  it('is read as it was written, and fills exactly what was counted', () => {
    fc.assert(
      fc.property(batch, (each) => {
        expect(plain(readBatch(written(each)))).toEqual(plain(each))
      }),
    )
  })

  it('that was cut short anywhere is read up to a frame, or refused', () => {
    fc.assert(
      fc.property(batch, fc.nat(), (each, at) => {
        const bytes = written(each)
        const short = bytes.subarray(0, at % bytes.length)
        try {
          const { frames } = readBatch(short)
          expect(plain({ ...each, frames })).toEqual(
            plain({ ...each, frames: each.frames.slice(0, frames.length) }),
          )
        } catch (error) {
          expect(error).toBeInstanceOf(BatchBroken)
        }
      }),
    )
  })

  it('of any bytes at all is read or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readBatch(Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(BatchBroken)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('without frames is a heartbeat of a dozen bytes', () => {
    expect(written({ number: 1, sentAtMs: 2, frames: [] })).toHaveLength(BATCH_HEAD_BYTES)
  })

  it('with a failure of a later release says that the work may have been done', () => {
    const bytes = written({ number: 1, sentAtMs: 2, frames: [{ is: 'failure', id: 7, why: 'late' }] })
    bytes.writeUInt8(200, bytes.length - 1)
    const [failure] = readBatch(bytes).frames
    expect(failure).toEqual({ is: 'failure', id: 7, why: 'failed' })
    expect(wasNotBegun('failed')).toBe(false)
  })
})

describe('the order of batches', () => {
  it('notices every batch that was lost, doubled or exchanged', () => {
    const numbers = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 })
    fc.assert(
      fc.property(numbers, (arrived) => {
        const isNext = batchOrder()
        const wrong = arrived.findIndex((number) => !isNext(number))
        expect(wrong).toBe(arrived.findIndex((number, index) => number !== index + 1))
      }),
    )
  })
})
