import { describe, expect, it } from 'vitest'
import { type OptionSpecs, parseOptions } from '../../bench/harness/options.ts'

const specs = {
  askers: { type: 'number', default: 64, quick: 8, about: 'concurrent askers' },
  engine: { type: 'string', default: 'sqlite', choices: ['sqlite', 'cassandra'], about: 'journal engine' },
  verbose: { type: 'boolean', default: false, about: 'more lines' },
} as const satisfies OptionSpecs

describe('benchmark options', () => {
  it('take their defaults when nothing is given', () => {
    const parsed = parseOptions(specs, [])
    expect(parsed).toEqual({
      quick: false,
      json: false,
      help: false,
      values: { askers: 64, engine: 'sqlite', verbose: false },
    })
  })

  it('take the quick default under --quick, unless given', () => {
    expect(parseOptions(specs, ['--quick']).values).toMatchObject({ askers: 8, engine: 'sqlite' })
    expect(parseOptions(specs, ['--quick', '--askers', '3']).values).toMatchObject({ askers: 3 })
  })

  it.each([
    [['--askers', 'many'], '--askers must be a number, not "many"'],
    [['--askers='], '--askers must be a number, not ""'],
    [['--engine', 'paper'], '--engine must be one of sqlite, cassandra, not "paper"'],
    [['--speed', '9'], /--speed/],
    [['stray'], /stray/],
  ])('refuse %j by name', (args, message) => {
    expect(() => parseOptions(specs, args)).toThrow(message)
  })

  it('may not take a name of the harness', () => {
    expect(() => parseOptions({ json: { type: 'boolean', default: true, about: '' } }, [])).toThrow(/--json/)
  })
})
