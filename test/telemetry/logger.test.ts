import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/telemetry/logger.ts'

const collect = (level: 'debug' | 'info' | 'error' | 'silent') => {
  const lines: Record<string, unknown>[] = []
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  }
  return { log: createLog({ level, destination }), lines }
}

describe('the log', () => {
  it('writes one JSON line with the event, its level, the time and safe fields', () => {
    const { log, lines } = collect('info')
    log('http.request', { route: '/v1/health', status: 200, durationMs: 0.5 })
    log('probe.failed', { part: 'journal' })
    expect(lines).toMatchObject([
      { level: 'info', event: 'http.request', route: '/v1/health', status: 200, durationMs: 0.5 },
      { level: 'warn', event: 'probe.failed', part: 'journal' },
    ])
    expect(new Date(String(lines[0]?.time)).getTime()).toBeGreaterThan(0)
  })

  it('leaves out what is below its level', () => {
    const { log, lines } = collect('error')
    log('service.started')
    log('http.failed', { error: new Error('x') })
    expect(lines.map(({ event }) => event)).toEqual(['http.failed'])
    const silent = collect('silent')
    silent.log('http.failed')
    expect(silent.lines).toEqual([])
  })

  it('keeps no line back when it is flushed at the end of the process', () => {
    const program = `
      import { createLog } from '${new URL('../../src/telemetry/logger.ts', import.meta.url).href}'
      const log = createLog({ level: 'info' })
      for (let i = 0; i < 1000; i++) log('http.request', { status: i })
      log.flush()
      process.exit(0)`
    const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    expect(out.trim().split('\n')).toHaveLength(1000)
  })
})
