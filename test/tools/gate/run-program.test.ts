import { describe, expect, it } from 'vitest'
import { runProgram } from '../../../tools/gate/run-program.ts'

const node = (script: string, timeoutMs = 20_000) =>
  runProgram({ command: ['node', '-e', script], timeoutMs })

describe('a program of the gate', () => {
  it('keeps what it wrote on both outputs', async () => {
    const outcome = await node('console.log("said"); console.error("cried")')
    expect(outcome.ok).toBe(true)
    expect(outcome.output.split('\n').sort()).toEqual(['cried', 'said'])
  })

  it('fails with its exit code', async () => {
    expect((await node('process.exit(3)')).ok).toBe(false)
  })

  it('runs with the Node of the gate and the commands of the repository', async () => {
    expect((await node('console.log(process.version)')).output).toBe(process.version)
    expect((await runProgram({ command: ['oxlint', '--version'], timeoutMs: 20_000 })).output).toMatch(
      /\d+\.\d+/,
    )
  })

  it('that hangs is ended together with what it started', async () => {
    // Only the grandchild writes, and whatever it writes comes through the same pipe.
    const script = `
      require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => console.log("alive"), 10)'],
        { stdio: 'inherit' })
      setInterval(() => {}, 1000)`
    const outcome = await node(script, 2_000)
    expect(outcome.ok).toBe(false)
    expect(outcome.output).toContain('alive')
    expect(outcome.output).toMatch(/node was ended after 2 s: something in it hangs\.$/)
  })

  it('names what it has left behind, by its environment or its session, and ends it', async () => {
    const script = `
      const { spawn } = require('node:child_process')
      const leave = (name, more) =>
        spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', name], { stdio: 'ignore', ...more }).unref()
      leave('of-another-session', { detached: true })
      leave('of-another-environment', { env: {} })`
    const outcome = await node(script)
    expect(outcome.ok).toBe(true)
    const names = outcome.survivors.map((command) => command.split(' ').at(-1))
    expect(new Set(names)).toEqual(new Set(['of-another-environment', 'of-another-session']))
  })

  it('that does not exist is reported by name', async () => {
    const outcome = await runProgram({ command: ['no-such-program'], timeoutMs: 5_000 })
    expect(outcome.ok).toBe(false)
    expect(outcome.output).toMatch(/^no-such-program could not be started: /)
  })
})
