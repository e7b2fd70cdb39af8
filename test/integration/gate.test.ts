import { appendFileSync, copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runProgram } from '../../tools/gate/run-program.ts'
import { checksIn } from '../../tools/gate/steps.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** A tiny project under the very settings of this one. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('vouchsafe-gate')
  for (const settings of ['.oxlintrc.json', 'biome.json', 'knip.json', 'package.json', 'tsconfig.json']) {
    copyFileSync(join(root, settings), join(folder, settings))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const run = (folder: string, ...command: string[]) => runProgram({ command, timeoutMs: 60_000, folder })

describe('the gate', () => {
  it('refuses a floating promise, with the place', async () => {
    const folder = project({
      'src/main.ts': 'async function answer(): Promise<number> {\n  return 1\n}\n\nanswer()\n',
    })
    const outcome = await run(folder, 'oxlint', '--type-aware', '--format=unix')
    expect(outcome.ok).toBe(false)
    expect(outcome.output).toMatch(/src\/main\.ts:5:1: Promises must be awaited.*no-floating-promises/)
  })

  it('refuses an export that nothing uses, with its name', async () => {
    const folder = project({
      'src/main.ts': `import { used } from './parts.ts'\n\nprocess.exitCode = used\n`,
      'src/parts.ts': 'export const used = 0\nexport const forgotten = 1\n',
    })
    const outcome = await run(folder, 'knip', '--no-progress', '--no-config-hints', '--include', 'exports')
    expect(outcome.ok).toBe(false)
    expect(outcome.output).toMatch(/forgotten +src\/parts\.ts:2/)
    expect(outcome.output).not.toMatch(/^used/m)
  })

  it('refuses a type that does not fit', async () => {
    const folder = project({ 'src/main.ts': `const port: number = '8080'\n\nprocess.exitCode = port\n` })
    const outcome = await run(folder, 'tsc', '--noEmit', '--project', '.')
    expect(outcome.ok).toBe(false)
    expect(outcome.output).toContain(`src/main.ts(1,7): error TS2322`)
  })

  it('refuses what is not formatted, with the file', async () => {
    const folder = project({ 'src/main.ts': 'process.exitCode   = 0;\n' })
    const outcome = await run(folder, 'biome', 'check', '--reporter=summary')
    expect(outcome.ok).toBe(false)
    expect(outcome.output).toContain('src/main.ts')
  })

  it('accepts a project without fault', async () => {
    const folder = project({ 'src/main.ts': 'process.exitCode = 0\n' })
    expect(await run(folder, 'oxlint', '--type-aware')).toMatchObject({ ok: true })
    expect(await run(folder, 'tsc', '--noEmit', '--project', '.')).toMatchObject({ ok: true })
    expect(await run(folder, 'biome', 'check')).toMatchObject({ ok: true })
  })
})

const left = ['node_modules', '.git', '.data', '.cache', '.infra', 'target', 'coverage']

/** All of the repository, with nothing installed anew. */
function throwAwayCopy(): string {
  const folder = temporaryFolder('vouchsafe-gate-copy')
  cpSync(root, folder, { recursive: true, filter: (path) => !left.includes(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

describe('the steps of npm run verify', () => {
  it('each refuse the fault that is theirs in a copy of the repository, and say where and what to do', async () => {
    const folder = throwAwayCopy()
    const plant = (path: string, text: string): void => appendFileSync(join(folder, path), text)
    plant('src/domain/shards.ts', "import '../app.ts'\n")
    plant('src/domain/shards.ts', '// A line too many.\n'.repeat(300))
    plant('src/cli/output.ts', '\nasync function ask(): Promise<number> {\n  return 1\n}\nask()\n')
    plant('src/config/env.ts', '\nexport const forgotten = 1\n')
    const outcomeOf = async (name: string) => {
      const step = checksIn(folder).find((each) => each.name === name)
      if (step === undefined) throw new Error(`verify has no step ${name}`)
      const { ok, output, tally } = await step.run()
      return { ok, output, failed: tally.failed > 0 }
    }
    const failing = { ok: false, failed: true }
    const tidy = await outcomeOf('tidy')
    expect(tidy).toMatchObject(failing)
    expect(tidy.output).toMatch(/src\/domain\/shards\.ts:\d+ .*src\/app\.ts/)
    expect(tidy.output).toMatch(
      /src\/domain\/shards\.ts has 3\d\d lines, 300 is the most: give one of its responsibilities a file of its own\./,
    )
    const lint = await outcomeOf('lint')
    expect(lint).toMatchObject(failing)
    expect(lint.output).toMatch(/src\/cli\/output\.ts:\d+:1: Promises must be awaited.*no-floating-promises/)
    const deadCode = await outcomeOf('dead code')
    expect(deadCode).toMatchObject(failing)
    expect(deadCode.output).toMatch(/forgotten +src\/config\/env\.ts:\d+/)
    expect(deadCode.output).toContain('Take away what nothing uses: the export keyword')
  }, 300_000)
})
