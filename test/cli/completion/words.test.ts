import { Argument, Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { commandWords, everyCommand } from '../../../src/cli/completion/words.ts'

const program = () => {
  const made = new Command('vouchsafe').version('1').option('--json', 'for programs')
  const group = made.command('group').description('some things')
  group
    .command('make <file> [more...]')
    .description("it's made")
    .addOption(new Option('-r, --role <role>', 'what for').choices(['one', 'two']))
    .addOption(new Option('--secret', 'hidden').hideHelp())
  made.command('pick').addArgument(new Argument('<of>').choices(['a.b', 'c']))
  return made
}

describe('the words of a program', () => {
  it('are its commands, their options and what may follow them', () => {
    const help = { flags: ['--help', '-h'], description: 'display help for command', value: null }
    const json = { flags: ['--json'], description: 'for programs', value: null }
    const words = commandWords(program())
    expect(
      everyCommand(words).map(({ place, options }) => [place, options.map(({ flags }) => flags[0])]),
    ).toEqual([
      ['', ['--version', '--json', '--help']],
      [' group', ['--help', '--json']],
      [' group make', ['--role', '--help', '--json']],
      [' pick', ['--help', '--json']],
    ])
    expect(words.commands[0]?.commands).toEqual([
      {
        place: ' group make',
        name: 'make',
        description: "it's made",
        options: [
          {
            flags: ['--role', '-r'],
            description: 'what for',
            value: { choices: ['one', 'two'], isFile: false, isVariadic: false },
          },
          help,
          json,
        ],
        values: [
          { choices: [], isFile: true, isVariadic: false },
          { choices: [], isFile: false, isVariadic: true },
        ],
        commands: [],
      },
    ])
    expect(words.commands[1]?.values).toEqual([{ choices: ['a.b', 'c'], isFile: false, isVariadic: false }])
  })

  it('are none that a shell would read as something else', () => {
    const unsafe = new Command('vouchsafe')
    unsafe.command('$(rm)')
    expect(() => commandWords(unsafe)).toThrow('no shell reads')
  })
})
