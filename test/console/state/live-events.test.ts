import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LiveEvent, LiveEvents, type Source } from '../../../console/src/state/live-events.ts'

const TYPES = ['credential.state_changed', 'record.erased']
const OPEN = 1
const CONNECTING = 0
const CLOSED = 2

class FakeSource implements Source {
  readyState = CONNECTING
  isClosed = false
  readonly #listeners = new Map<string, (event: { readonly data?: unknown }) => void>()

  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void {
    this.#listeners.set(type, listener)
  }

  close(): void {
    this.isClosed = true
  }

  say(type: string, data?: unknown): void {
    this.#listeners.get(type)?.({ data })
  }

  becomes(readyState: number): void {
    this.readyState = readyState
    this.say(readyState === OPEN ? 'open' : 'error')
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const stream = () => {
  const sources: FakeSource[] = []
  const events = new LiveEvents(TYPES, () => {
    const source = new FakeSource()
    sources.push(source)
    return source
  })
  const told: (LiveEvent | null)[] = []
  return { sources, events, told, hear: () => events.listen((event) => void told.push(event)) }
}

describe('the stream of a tab', () => {
  it('is one for all who listen, and is closed a while after the last one left', () => {
    const { sources, events, hear } = stream()
    expect(sources).toHaveLength(0)
    const [first, second] = [hear(), hear()]
    expect(sources).toHaveLength(1)
    sources[0]?.becomes(OPEN)
    expect(events.isLive).toBe(true)
    first()
    second()
    vi.advanceTimersByTime(4_000)
    const third = hear()
    vi.advanceTimersByTime(60_000)
    expect(sources).toHaveLength(1)
    expect(sources[0]?.isClosed).toBe(false)
    third()
    vi.advanceTimersByTime(5_000)
    expect(sources[0]?.isClosed).toBe(true)
    expect(events.isLive).toBe(false)
    hear()
    expect(sources).toHaveLength(2)
  })

  it('is closed while nobody looks at the page', () => {
    const { sources, events, hear } = stream()
    hear()
    events.lookedAt(false)
    vi.advanceTimersByTime(5_000)
    expect(sources[0]?.isClosed).toBe(true)
    hear()
    expect(sources).toHaveLength(1)
    events.lookedAt(true)
    expect(sources).toHaveLength(2)
  })

  it('says which record an event is about, and nothing where it names none', () => {
    const { sources, told, hear } = stream()
    hear()
    const [source] = sources
    source?.say('credential.state_changed', JSON.stringify({ data: { id: 'cre_1', state: 'done' } }))
    source?.say('record.erased', JSON.stringify({ data: { recordId: 'con_1' } }))
    source?.say('record.erased', 'no JSON')
    expect(told).toEqual([
      { type: 'credential.state_changed', recordId: 'cre_1' },
      { type: 'record.erased', recordId: 'con_1' },
      { type: 'record.erased', recordId: '' },
    ])
  })

  it('says when something may have been missed: at its begin, after a gap, and when it is cut', () => {
    const { sources, told, hear, events } = stream()
    hear()
    const [source] = sources
    source?.becomes(OPEN)
    source?.say('stream.gap')
    source?.becomes(CONNECTING)
    source?.becomes(CONNECTING)
    expect(told).toEqual([null, null, null])
    expect(events.isLive).toBe(false)
    expect(sources).toHaveLength(1)
    source?.becomes(OPEN)
    expect(events.isLive).toBe(true)
    expect(told).toHaveLength(4)
  })

  it('is tried again half a minute after a refusal, and not once everybody has left', () => {
    const { sources, hear } = stream()
    const leave = hear()
    sources[0]?.becomes(CLOSED)
    vi.advanceTimersByTime(29_000)
    hear()()
    expect(sources).toHaveLength(1)
    vi.advanceTimersByTime(1_000)
    expect(sources).toHaveLength(2)
    sources[1]?.becomes(CLOSED)
    leave()
    vi.advanceTimersByTime(120_000)
    expect(sources).toHaveLength(2)
  })
})
