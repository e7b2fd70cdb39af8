import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutput } from '../../src/cli/output.ts'

const collect = (json: boolean, columns: number | null = null) => {
  const out: string[] = []
  const err: string[] = []
  return {
    output: createOutput(
      json,
      (text) => void out.push(text),
      (text) => void err.push(text),
      columns,
    ),
    out,
    err,
  }
}

describe('the output of a command', () => {
  it('is text for people', () => {
    const { output, out, err } = collect(false)
    output.note('working')
    output.result({ ok: true }, 'all is well')
    output.failure(['first', 'second'])
    expect([out, err]).toEqual([['all is well\n'], ['working\n', 'first\nsecond\n']])
  })

  it('is one JSON value on stdout for programs', () => {
    const { output, out, err } = collect(true)
    output.note('working')
    output.result({ ok: true }, 'all is well')
    output.failure(['first'])
    expect([out, err]).toEqual([['{"ok":true}\n'], ['{"failed":["first"]}\n']])
  })
})

describe('what a terminal would obey', () => {
  const name = 'A\u001b]0;owned\u0007\u009b2J\u202eB\r'
  const harmless = 'A?]0;owned??2J?B?'

  it('is not written, whoever chose the name in which it stands', () => {
    const { output, out, err } = collect(false, 60)
    output.result({ name }, `first\n${name}\tlast`)
    output.note(name)
    output.failure([name])
    expect(out).toEqual([`first\n${harmless}\tlast\n`])
    expect(err).toEqual([`${harmless}\n`, `${harmless}\n`])
  })

  it('is escaped for programs, which read it as it was', () => {
    const { output, out } = collect(true)
    output.result({ name }, '')
    expect(out.join('')).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(JSON.parse(out.join(''))).toEqual({ name })
  })
})

describe('the progress of a command', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is a bar on stderr at a terminal, which is gone before anything else is said', () => {
    const { output, out, err } = collect(false, 60)
    output.progress('2 of 4 shards …', 0.5)
    output.progress('3 of 4 shards …', 0.75)
    output.note('a word')
    output.bar('without an end')
    output.result({}, 'done')
    output.result({}, 'and more')
    expect(out).toEqual(['done\n', 'and more\n'])
    expect(err).toEqual([
      '\r██████████░░░░░░░░░░  50 %  2 of 4 shards …\u001b[K',
      '\r███████████████░░░░░  75 %  3 of 4 shards …\u001b[K',
      '\r\u001b[K',
      'a word\n',
      '\rwithout an end\u001b[K',
      '\r\u001b[K',
    ])
  })

  it('never fills the line, and shows no share that there is not', () => {
    const { output, err } = collect(false, 12)
    output.bar('more than there is room for')
    output.bar('x', Number.POSITIVE_INFINITY)
    output.bar('x', -1)
    expect(err).toEqual(['\rmore than t\u001b[K', '\r███████████\u001b[K', '\r░░░░░░░░░░░\u001b[K'])
  })

  it('is a line for each change where there is no terminal, and nothing for programs', () => {
    for (const [json, lines] of [
      [false, ['one …\n', 'two …\n']],
      [true, []],
    ] as const) {
      const { output, out, err } = collect(json)
      for (const line of ['one …', 'one …', 'two …']) output.progress(line, 0.5)
      output.bar('for terminals', 0.5)
      expect([out, err]).toEqual([[], lines])
    }
    const { output, err } = collect(true, 60)
    output.progress('one …')
    expect(err).toEqual([])
  })

  it('shows that work goes on once it takes longer than a second, and for how long', async () => {
    const { output, err } = collect(false, 60)
    expect(await output.during('It is done,', Promise.resolve(1))).toBe(1)
    expect(err).toEqual([])
    const work = Promise.withResolvers<number>()
    const done = output.during('It is done,', work.promise)
    await vi.advanceTimersByTimeAsync(2_500)
    work.resolve(2)
    expect(await done).toBe(2)
    expect(err).toEqual(['\rIt is done, 1 s\u001b[K', '\rIt is done, 2 s\u001b[K', '\r\u001b[K'])
    await expect(output.during('It is done,', Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('says nothing of that where there is no terminal', async () => {
    const { output, out, err } = collect(false)
    const work = Promise.withResolvers<number>()
    const done = output.during('It is done,', work.promise)
    await vi.advanceTimersByTimeAsync(5_000)
    work.resolve(1)
    await done
    expect([out, err]).toEqual([[], []])
  })
})
