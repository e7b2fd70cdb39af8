import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, vi } from 'vitest'

const main = fileURLToPath(new URL('../sdk/terminal/main.ts', import.meta.url))

type Service = { readonly apiKey: string; readonly url: string }

/** The wallet in a terminal of its own, for the test that opens it. */
export const openTerminalWallet = (
  { apiKey, url }: Service,
  words: readonly string[],
  patience: { readonly timeout: number },
) => {
  const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...words], {
    env: { ...process.env, API_KEY: apiKey, BASE_URL: url },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(started, 'exit')
  // What is typed when it has just ended is not heard.
  started.stdin.on('error', () => undefined)
  let said = ''
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  onTestFinished(() => {
    started.kill()
  })
  const type = (line: string): void => void started.stdin.write(`${line}\n`)
  return {
    type,
    shown: (): string => said,
    /** Until it shows this; an empty line makes it fetch its messages. */
    shows: (text: string): Promise<void> =>
      vi.waitFor(
        () => {
          if (!said.includes(text)) type('')
          expect(said).toContain(text)
        },
        { ...patience, interval: 300 },
      ),
    kill: async (): Promise<void> => {
      started.kill('SIGKILL')
      await ended
    },
    quit: async (): Promise<unknown> => {
      type('quit')
      const [code] = (await ended) as [number | null]
      return code
    },
  }
}
