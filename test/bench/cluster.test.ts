import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const LIMIT_MS = 900_000
const script = fileURLToPath(new URL('../../bench/run.ts', import.meta.url))

type Report = {
  readonly figures: Readonly<Record<string, number | null>>
  readonly bars: readonly { readonly name: string; readonly value: number | null }[]
}

/** How fast something is a busy machine cannot tell; that all of it comes to an end, and is measured, it can. */
it('npm run bench -- cluster --quick measures three nodes from their start to the loss of one', {
  timeout: LIMIT_MS,
}, async () => {
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const words = [script, 'cluster', '--quick', '--json']
    execFile(process.execPath, words, { timeout: LIMIT_MS }, (_, out, errors) =>
      resolve({ stdout: out, stderr: errors }),
    )
  })
  const last = stdout.trim().split('\n').at(-1) ?? ''
  expect(last, stderr).toMatch(/^\{.*\}$/)
  const { figures, bars } = JSON.parse(last) as Report
  expect(bars.map(({ name }) => name).toSorted()).toEqual([
    'cluster_cpu_ratio',
    'first_page_ms',
    'list_recovery_s',
    'move_pause_p99_ms',
    'remote_ask_cpu_us',
    'takeover_s',
  ])
  for (const [name, value] of Object.entries(figures)) expect(value, name).toBeTypeOf('number')
  expect(figures['moves']).toBeGreaterThan(100)
})
