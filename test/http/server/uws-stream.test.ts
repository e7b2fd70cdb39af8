import type { HttpResponse } from 'uWebSockets.js'
import { expect, it } from 'vitest'
import { OpenStreams } from '../../../src/http/server/open-streams.ts'
import type { Outlet, Streaming } from '../../../src/http/server/server.ts'
import { uwsStream } from '../../../src/http/server/uws-stream.ts'

/** The library's response as far as a stream touches it; the real one is in the contract suite. */
const begin = () => {
  const seen: string[] = []
  const handlers = { aborted: () => {}, writable: () => {} }
  let isTaken = true
  const res = {
    onAborted: (handler: () => void) => void (handlers.aborted = handler),
    onWritable: (handler: () => void) => void (handlers.writable = handler),
    cork: (run: () => void) => run(),
    write: (text: string) => {
      seen.push(`write ${text}`)
      return isTaken
    },
    end: () => void seen.push('end'),
    close: () => {
      seen.push('close')
      handlers.aborted()
    },
  } as unknown as HttpResponse
  const stream = new OpenStreams()
  let outlet: Outlet | undefined
  const streaming: Streaming = {
    start: (given) => {
      outlet = given
      return { drained: () => void seen.push('drained'), ended: () => void seen.push('ended') }
    },
    cancel: () => void seen.push('cancelled'),
  }
  stream.start(uwsStream(res), streaming, () => void seen.push('left'))
  return { seen, handlers, outlet: outlet as Outlet, stream, fill: () => void (isTaken = false) }
}

it('a stream that its writer ends while it begins is over for the writer too', () => {
  const seen: string[] = []
  const res = {
    onAborted: () => undefined,
    onWritable: () => undefined,
    cork: (run: () => void) => run(),
    end: () => void seen.push('end'),
  } as unknown as HttpResponse
  const streaming: Streaming = {
    start: (outlet) => {
      outlet.end()
      return { drained: () => undefined, ended: () => void seen.push('ended') }
    },
    cancel: () => undefined,
  }
  new OpenStreams().start(uwsStream(res), streaming, () => void seen.push('left'))
  expect(seen).toEqual(['left', 'end', 'ended'])
})

it('a stream that has ended is left once and touches its response no more', () => {
  const { seen, outlet, stream, handlers } = begin()
  expect(outlet.write('a')).toBe(true)
  stream.end()
  outlet.end()
  handlers.aborted()
  expect(outlet.write('b')).toBe(true)
  expect(seen).toEqual(['write a', 'left', 'ended', 'end'])
})

it('a stream whose caller went away is not ended as well', () => {
  const { seen, stream, handlers } = begin()
  handlers.aborted()
  stream.end()
  expect(seen).toEqual(['left', 'ended'])
})

it('a stream is cut off while its caller is behind, and ended once the caller has read', () => {
  const behind = begin()
  behind.fill()
  expect(behind.outlet.write('a')).toBe(false)
  behind.stream.end()
  expect(behind.seen).toEqual(['write a', 'left', 'ended', 'close'])
  const read = begin()
  read.fill()
  read.outlet.write('a')
  read.handlers.writable()
  read.stream.end()
  expect(read.seen).toEqual(['write a', 'drained', 'left', 'ended', 'end'])
})
