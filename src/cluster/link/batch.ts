/**
 * What goes over a connection at once: a head, and the frames of one turn of the sender. An empty batch is a heartbeat.
 *
 *     batch    number u32 · sent at f64 · frames
 *     request  1 · id u32 · ms left u32 · length of the service u8 · length of the body u32 · service · body
 *     answer   2 · id u32 · length of the body u32 · body
 *     failure  3 · id u32 · why u8
 *     goodbye  4
 */
export type RequestFrame = {
  readonly is: 'request'
  readonly id: number
  /** How long the other side still waits, counted from `sentAtMs` of the batch. */
  readonly leftMs: number
  readonly service: string
  readonly body: Uint8Array
}
export type AnswerFrame = { readonly is: 'answer'; readonly id: number; readonly body: Uint8Array }
export type FailureFrame = { readonly is: 'failure'; readonly id: number; readonly why: Failure }
/** The sender will send no more requests on this connection. */
export type GoodbyeFrame = { readonly is: 'goodbye' }
export type Frame = RequestFrame | AnswerFrame | FailureFrame | GoodbyeFrame

/** Why a request has no answer. All but the last two say that it was not begun. */
export const failures = ['late', 'overloaded', 'unknown_service', 'failed', 'too_large'] as const
export type Failure = (typeof failures)[number]

const notBegun: ReadonlySet<Failure> = new Set(['late', 'overloaded', 'unknown_service'])
export const wasNotBegun = (why: Failure): boolean => notBegun.has(why)

export type Batch = {
  /** Counts from 1 on each connection. */
  readonly number: number
  /** On the sender's monotonic clock. */
  readonly sentAtMs: number
  readonly frames: readonly Frame[]
}

/** What arrived is not a batch; the connection cannot be trusted any further. */
export class BatchBroken extends Error {
  override readonly name = 'BatchBroken'
}

export const BATCH_HEAD_BYTES = 12
export const SERVICE_CHARACTERS_MAX = 64
const REQUEST_HEAD_BYTES = 14
const ANSWER_HEAD_BYTES = 9
const FAILURE_BYTES = 6
const GOODBYE_BYTES = 1
export const FRAME_HEAD_BYTES_MAX = REQUEST_HEAD_BYTES + SERVICE_CHARACTERS_MAX

const KIND = { request: 1, answer: 2, failure: 3, goodbye: 4 } as const

export const frameBytes = (frame: Frame): number => {
  switch (frame.is) {
    case 'request':
      return REQUEST_HEAD_BYTES + frame.service.length + frame.body.length
    case 'answer':
      return ANSWER_HEAD_BYTES + frame.body.length
    case 'failure':
      return FAILURE_BYTES
    case 'goodbye':
      return GOODBYE_BYTES
  }
}

/** `bytes` is the sum of `frameBytes`, which the caller has counted already. */
export const writeBatch = ({ number, sentAtMs, frames }: Batch, bytes: number): Buffer => {
  const batch = Buffer.allocUnsafe(BATCH_HEAD_BYTES + bytes)
  batch.writeUInt32BE(number, 0)
  batch.writeDoubleBE(sentAtMs, 4)
  let at = BATCH_HEAD_BYTES
  for (const frame of frames) at = writeFrame(batch, frame, at)
  return batch
}

const writeFrame = (batch: Buffer, frame: Frame, start: number): number => {
  let at = batch.writeUInt8(KIND[frame.is], start)
  if (frame.is === 'goodbye') return at
  at = batch.writeUInt32BE(frame.id, at)
  if (frame.is === 'failure') return batch.writeUInt8(failures.indexOf(frame.why), at)
  if (frame.is === 'request') {
    at = batch.writeUInt32BE(frame.leftMs, at)
    at = batch.writeUInt8(frame.service.length, at)
  }
  at = batch.writeUInt32BE(frame.body.length, at)
  if (frame.is === 'request') at += batch.write(frame.service, at, 'latin1')
  batch.set(frame.body, at)
  return at + frame.body.length
}

/** Bodies are views of the batch. Throws BatchBroken where a length or a kind does not fit. */
export const readBatch = (batch: Buffer): Batch => {
  if (batch.length < BATCH_HEAD_BYTES) throw new BatchBroken('a batch is shorter than its head')
  const sentAtMs = batch.readDoubleBE(4)
  if (!Number.isFinite(sentAtMs)) throw new BatchBroken('a batch has no time')
  const frames: Frame[] = []
  let at = BATCH_HEAD_BYTES
  while (at < batch.length) {
    const frame = readFrame(batch, at)
    frames.push(frame)
    at += frameBytes(frame)
  }
  return { number: batch.readUInt32BE(0), sentAtMs, frames }
}

const readFrame = (batch: Buffer, at: number): Frame => {
  switch (batch[at]) {
    case KIND.request: {
      need(batch, at + REQUEST_HEAD_BYTES)
      const serviceLength = batch.readUInt8(at + 9)
      const bodyAt = at + REQUEST_HEAD_BYTES + serviceLength
      const end = bodyAt + batch.readUInt32BE(at + 10)
      need(batch, end)
      return {
        is: 'request',
        id: batch.readUInt32BE(at + 1),
        leftMs: batch.readUInt32BE(at + 5),
        service: batch.toString('latin1', at + REQUEST_HEAD_BYTES, bodyAt),
        body: batch.subarray(bodyAt, end),
      }
    }
    case KIND.answer: {
      need(batch, at + ANSWER_HEAD_BYTES)
      const bodyAt = at + ANSWER_HEAD_BYTES
      const end = bodyAt + batch.readUInt32BE(at + 5)
      need(batch, end)
      return { is: 'answer', id: batch.readUInt32BE(at + 1), body: batch.subarray(bodyAt, end) }
    }
    case KIND.failure: {
      need(batch, at + FAILURE_BYTES)
      // A newer node may know further reasons; that the work may have been done is the safe reading of each.
      const why = failures[batch.readUInt8(at + 5)] ?? 'failed'
      return { is: 'failure', id: batch.readUInt32BE(at + 1), why }
    }
    case KIND.goodbye:
      return { is: 'goodbye' }
    default:
      throw new BatchBroken('a frame of no known kind')
  }
}

const need = (batch: Buffer, end: number): void => {
  if (end > batch.length) throw new BatchBroken('a frame is longer than its batch')
}
