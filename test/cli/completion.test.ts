import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CommandWords, commandWords, everyCommand } from '../../src/cli/completion/words.ts'
import { vouchsafeProgram } from '../../src/cli/program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

const program = vouchsafeProgram({}, '0')
const commands = everyCommand(commandWords(program))
const folder = temporaryFolder('completion')

const scriptFor = async (shell: string): Promise<string> => {
  const { code, out, err } = await vouchsafe(() => vouchsafeProgram({}, '0'), {}, ['completion', shell])
  expect([code, err]).toEqual([0, ''])
  return out
}

type Asked = readonly string[]

/** What bash offers for the last of the words; all of them in one process, because each costs milliseconds. */
const offeredByBash = (script: string, asked: readonly Asked[]): readonly (readonly string[])[] => {
  const file = join(folder, 'completion.bash')
  writeFileSync(file, script)
  const quoted = (word: string): string => `'${word}'`
  const steps = asked.map((words) => {
    const all = ['vouchsafe', ...words]
    return `COMP_WORDS=(${all.map(quoted).join(' ')}); COMP_CWORD=${all.length - 1}; _vouchsafe; echo "\${COMPREPLY[*]}"`
  })
  const told = ['set -u', `source '${file}'`, ...steps].join('\n')
  const out = execFileSync('bash', ['--norc', '-c', told], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').filter((word) => word !== ''))
}

const wordsTo = ({ place }: CommandWords): readonly string[] => place.split(' ').slice(1)

describe('completion in bash', () => {
  it('offers every command where it may stand, and every option', async () => {
    const script = await scriptFor('bash')
    const groups = commands.filter((each) => each.commands.length > 0)
    const asked = [
      ...groups.map((each) => [...wordsTo(each), '']),
      ...commands.map((each) => [...wordsTo(each), '-']),
    ]
    const expected = [
      ...groups.map((each) => each.commands.map(({ name }) => name)),
      ...commands.map(({ options }) => options.flatMap(({ flags }) => flags)),
    ]
    expect(offeredByBash(script, asked)).toEqual(expected)
    expect(commands.length).toBeGreaterThan(60)
  })

  it('offers what an option or an argument can be, and nothing where nobody can know', async () => {
    const script = await scriptFor('bash')
    const all = offeredByBash(script, [
      ['ten'],
      ['member', 'invite', 'ten_1', 'ann@example.org', '--role', ''],
      ['member', 'invite', '--role', 'v'],
      ['member', 'invite', '--role', '=', 'ad'],
      ['member', 'invite', '--role', '='],
      ['tenant', 'create', ''],
      ['tenant', '--json', 'cr'],
      ['--json', 'shards', 'un'],
      ['trigger', 'pro'],
      ['trigger', 'proof.state_changed', ''],
      ['completion', ''],
      ['listen', '--events', 'wallet'],
      ['listen', '--forward', ''],
      ['listen', '--forward', 'http://localhost:3000', '--sec'],
      ['key', 'create', 'tenant', 'x'],
      ['webhook', 'set', '--url', 'show', '--ev'],
    ])
    expect(all).toEqual([
      ['tenant'],
      ['admin', 'viewer'],
      ['viewer'],
      ['admin'],
      ['admin', 'viewer'],
      [],
      ['create'],
      ['unpin', 'unfreeze'],
      ['proof.state_changed'],
      [],
      ['bash', 'zsh', 'fish'],
      ['wallet.sync_requested'],
      [],
      ['--secret-file'],
      [],
      ['--events'],
    ])
  })

  it('knows where names of files are wanted', async () => {
    const script = await scriptFor('bash')
    const file = join(folder, 'files.bash')
    writeFileSync(file, script)
    // Outside of a completion compopt fails; here it tells what it was asked.
    const asked = (words: string): string =>
      `COMP_WORDS=(vouchsafe ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _vouchsafe; `
    const told = [
      `source '${file}'`,
      'compopt() { echo "$1 $2"; }',
      asked("vault create-key ''"),
      asked("erasures replay one two ''"),
      asked("template create ten_1 --file ''"),
      asked("listen --secret-file ''"),
      asked("tenant show ''"),
      asked("template create ''"),
    ].join('\n')
    const out = execFileSync('bash', ['--norc', '-c', told], { encoding: 'utf8' })
    const wanted = '-o default'
    expect(out.trim().split('\n')).toEqual([wanted, wanted, wanted, wanted, '+o default', '+o default'])
  })
})

describe.each(['zsh', 'fish'])('completion in %s', (shell) => {
  it('has every command with its description, and every option with its choices', async () => {
    const script = await scriptFor(shell)
    const shown = script.replaceAll(String.raw`'\''`, "'").replaceAll(String.raw`\'`, "'")
    for (const { place, options, commands: below, values } of commands) {
      for (const { name, description } of below) {
        expect(shown).toContain(
          shell === 'zsh' ? `'${name}:${description}'` : `-a ${name} -d '${description}'`,
        )
        expect(shown).toContain(`'${place} ${name}'`)
      }
      for (const { flags, description } of options)
        for (const flag of flags)
          expect(shown).toContain(
            shell === 'zsh'
              ? `'${flag}:${description}'`
              : flag.replace(/^--/, '-l ').replace(/^-(\w)$/, '-s $1'),
          )
      const choices = [...values, ...options.flatMap(({ value }) => value ?? [])].flatMap(
        (each) => each.choices,
      )
      for (const choice of choices) expect(shown).toMatch(new RegExp(`['( ]${choice}[') ]`))
    }
  })

  it('is what the shell reads without an objection, where it is installed', async () => {
    const script = await scriptFor(shell)
    const file = join(folder, `completion.${shell}`)
    writeFileSync(file, script)
    const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    if (error === undefined) expect([status, stderr]).toEqual([0, ''])
    // Elsewhere: what is opened is closed, and nothing stands outside of quotes that a shell would carry out.
    const outside = withoutQuotes(script, shell)
    expect(outside).not.toMatch(/[`'"]/)
    for (const [open, close] of pairsOf[shell] ?? [])
      expect([open, countOf(outside, open)]).toEqual([open, countOf(outside, close)])
  })
})

/** Words and what ends them. In a case of zsh a bracket closes each pattern that another has opened. */
const pairsOf: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  zsh: [
    ['case', 'esac'],
    ['do', 'done'],
    ['if', 'fi'],
    ['(', ')'],
    ['{', '}'],
  ],
  fish: [['(', ')']],
}

const countOf = (text: string, word: string): number =>
  word.length === 1
    ? text.split(word).length - 1
    : [...text.matchAll(new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'g'))].length

/** Comments and quoted texts taken out. */
const withoutQuotes = (script: string, shell: string): string => {
  const single = shell === 'fish' ? /'(?:[^'\\]|\\.)*'/g : /'[^']*'|\\'/g
  return script
    .replaceAll(/^#.*$/gm, '')
    .replaceAll(single, 'x')
    .replaceAll(/"[^"]*"/g, 'x')
}
