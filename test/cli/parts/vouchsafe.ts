import { Command, CommanderError } from 'commander'
import { vi } from 'vitest'
import type { Environment } from '../../../src/config/config.ts'

export type Outcome = { readonly code: number; readonly out: string; readonly err: string }

type Register = (program: Command, environment: Environment) => void

/**
 * The command line within this process, with some commands or as a whole: what it would have written, and the code it
 * would have ended with.
 */
export const vouchsafe = async (
  registers: readonly Register[] | (() => Command),
  environment: Environment,
  args: readonly string[],
): Promise<Outcome> => {
  const written = { out: '', err: '' }
  const capture = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
    written[stream] += String(text)
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(capture('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(capture('err')),
  ]
  const codeBefore = process.exitCode
  try {
    const program = typeof registers === 'function' ? registers() : someOf(registers, environment)
    program.exitOverride()
    for (const command of program.commands) {
      command.exitOverride()
      for (const inner of command.commands) inner.exitOverride()
    }
    await program.parseAsync([...args], { from: 'user' })
    return { code: Number(process.exitCode ?? 0), ...written }
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode, ...written }
    throw error
  } finally {
    process.exitCode = codeBefore
    for (const spy of spies) spy.mockRestore()
  }
}

const someOf = (registers: readonly Register[], environment: Environment): Command => {
  const program = new Command('vouchsafe').option('--json')
  for (const register of registers) register(program, environment)
  return program
}
