import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

const script = fileURLToPath(new URL('../../bench/run.ts', import.meta.url))

const bench = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })

describe('npm run bench', () => {
  it('lists the benchmarks with what each measures', async () => {
    const { code, stdout } = await bench()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^health +GET \/v1\/health beside bare servers/m)
  })

  it('shows the options of one', async () => {
    const { code, stdout } = await bench('health', '--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^--rounds +7 +3 +rounds/m)
  })

  it.each([
    [['unheard-of'], 'There is no benchmark "unheard-of". There are: '],
    [['health', '--rounds', 'few'], '--rounds must be a number, not "few"'],
    [['health', '--speed', '9'], `Unknown option '--speed'`],
  ])('answers %j with one line and exit code 2', async (args, line) => {
    const { code, stdout, stderr } = await bench(...args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(line)])
  })
})
