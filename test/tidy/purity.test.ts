import { describe, expect, it } from 'vitest'
import { impurities } from './purity.ts'
import { parseSource } from './source.ts'

describe('the domain', () => {
  it.each([
    ['const at = Date.now()', 'Date.now'],
    ['const at = new Date()', 'new Date()'],
    ['const die = Math.random()', 'Math.random'],
    ['const id = crypto.randomUUID()', 'crypto'],
    ['console.log(1)', 'console'],
    ['setTimeout(() => {}, 1)', 'setTimeout'],
    ['const decide = async () => 1', 'async'],
    ['class Machine { async decide() {} }', 'async'],
    ['const settings = process.env', 'process'],
  ])('may not say %s', (line, what) => {
    expect(impurities(parseSource('src/domain/exchange.ts', line))).toContain(
      `src/domain/exchange.ts:1 src/domain/ may not use ${what}: let the value come in with the command.`,
    )
  })

  it('may compute with times that came in', () => {
    const text = 'export const due = (atMs: number) => new Date(Math.max(atMs, 0)).toISOString()'
    expect(impurities(parseSource('src/domain/exchange.ts', text))).toEqual([])
  })

  it('may have fields of such names', () => {
    const text =
      'export const next = (state: { process: string }) => ({ crypto: state.process, fetch() { return 1 } })'
    expect(impurities(parseSource('src/domain/exchange.ts', text))).toEqual([])
  })
})

describe('what the simulation runs', () => {
  it.each([
    ['src/host/state/actor-state.ts', 'src/host/'],
    ['src/cluster/lease.ts', 'src/cluster/'],
    ['src/persistence/shard-log-writer.ts', 'src/persistence/shard-log'],
  ])('has no clock of its own in %s', (path, room) => {
    expect(impurities(parseSource(path, 'async () => { await 1; setTimeout(f, Date.now()) }'))).toEqual([
      `${path}:1 ${room} may not use setTimeout: take it from the Runtime of src/ports/runtime.ts, which the simulation replaces.`,
      `${path}:1 ${room} may not use Date.now: take it from the Runtime of src/ports/runtime.ts, which the simulation replaces.`,
    ])
  })

  it.each([
    'src/host/runtime.ts',
    'src/persistence/sqlite/writer.ts',
    'src/http/server/server.ts',
    'test/host/state/actor-state.test.ts',
  ])('does not include %s', (path) =>
    expect(impurities(parseSource(path, 'const at = Date.now()'))).toEqual([]),
  )
})
