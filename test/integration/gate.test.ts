import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { runProgram } from '../../tools/gate/run-program.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folders: string[] = []

/** A tiny project under the very settings of this one. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-gate-'))
  folders.push(folder)
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

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

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
