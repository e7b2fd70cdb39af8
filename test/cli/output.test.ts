import { describe, expect, it } from 'vitest'
import { createOutput } from '../../src/cli/output.ts'

const collect = (json: boolean) => {
  const out: string[] = []
  const err: string[] = []
  return {
    output: createOutput(
      json,
      (text) => void out.push(text),
      (text) => void err.push(text),
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
