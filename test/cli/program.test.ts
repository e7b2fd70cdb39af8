import { describe, expect, it } from 'vitest'
import { vouchsafeProgram } from '../../src/cli/program.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

const run = (...words: string[]) => vouchsafe(() => vouchsafeProgram({}, '1.2.3'), {}, words)

describe('the command line as a whole', () => {
  it('says in words, or to programs in JSON, what it does not understand', async () => {
    const words = await run('trigger', 'proof.state_changd')
    expect([words.code, words.out]).toEqual([1, ''])
    expect(words.err).toMatch(/^error: .*Allowed choices are .*proof\.state_changed.*\n$/)
    const { code, out, err } = await run('--json', 'trigger', 'proof.state_changd')
    expect([code, out, JSON.parse(err)]).toEqual([1, '', { failed: [words.err.trim()] }])
    expect((await run('trigge')).err).toBe("error: unknown command 'trigge'\n(Did you mean trigger?)\n")
  })

  it('answers in JSON wherever it is asked to', async () => {
    const { out } = await run('--json', 'completion', 'fish')
    expect(JSON.parse(out)).toEqual({ shell: 'fish', script: (await run('completion', 'fish')).out })
  })
})
