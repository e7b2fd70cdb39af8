import { Program } from '../../tools/harness/program.ts'
import { unhindered } from '../../tools/harness/service.ts'
import type { Json } from './running-service.ts'

/** The command line in a process of its own, killed after some time where that is given. */
export const vouchsafe = async (
  settings: Readonly<Record<string, string>>,
  words: readonly string[],
  killAfterMs?: number,
) => {
  const env = { ...process.env, ...unhindered, ...settings }
  const program = new Program(['src/cli.ts', '--json', ...words], { env, keepsOutput: true })
  if (killAfterMs !== undefined) setTimeout(() => program.kill(), killAfterMs)
  const { code, stdout, stderr } = await program.finished
  return { code, said: stderr, answer: code === 0 ? (JSON.parse(stdout) as Json) : {} }
}
