import { describe, expect, it } from 'vitest'
import { parseSource } from './source.ts'
import { hasLogic, needlessEntries, untested } from './tested.ts'

const logic = 'export function add(left: number, right: number) { return left + right }'
const parsed = (files: readonly (readonly [string, string])[]) =>
  files.map(([path, text]) => parseSource(path, text))
const repository = (...files: (readonly [string, string])[]) => untested(parsed(files))

describe('a file with logic', () => {
  it('without its test is named together with the test to write', () => {
    expect(repository(['src/http/route.ts', logic])).toEqual([
      'src/http/route.ts has logic and no test: write test/http/route.test.ts.',
    ])
  })

  it.each([
    'test/http/route.test.ts',
    'test/contract/http/route.test.ts',
    'test/integration/http/route.test.ts',
  ])('may have its test in %s', (test) =>
    expect(repository(['src/http/route.ts', logic], [test, ''])).toEqual([]),
  )

  it.each(['test/stream/route.test.ts', 'test/contract/route.test.ts', 'test/cluster/stream/route.test.ts'])(
    'is not tested by %s, which only has the same name',
    (test) => expect(repository(['src/http/route.ts', logic], [test, ''])).toHaveLength(1),
  )

  it('may have its test where the list says, and the list holds nothing needless', () => {
    const elsewhere = new Map([['src/http/route.ts', { test: 'test/e2e/asked.test.ts', because: 'so' }]])
    const [file, test] = [
      ['src/http/route.ts', logic],
      ['test/e2e/asked.test.ts', ''],
    ] as const
    expect(untested(parsed([file, test]), elsewhere)).toEqual([])
    expect(untested(parsed([file]), elsewhere)).toHaveLength(1)
    expect(needlessEntries(parsed([file, test]), elsewhere)).toEqual([])
    expect(needlessEntries(parsed([test]), elsewhere)).toHaveLength(1)
    expect(needlessEntries(parsed([file, test, ['test/http/route.test.ts', '']]), elsewhere)).toHaveLength(1)
  })

  it.each([
    'export class ShardLost extends Error { constructor(shard: number) { super(`lost ${shard}`) } }',
    'export const define = (definition: object) => definition',
    'export interface Port { ask(question: string): Promise<string> }',
    'export const limits = { askTimeoutMs: 5_000, names: ["a"] } as const',
    'export declare function native(): void',
    `export { route } from './route.ts'`,
  ])('is not %s', (text) => {
    expect(hasLogic(parseSource('src/actors/ports.ts', text))).toBe(false)
  })

  it.each([
    logic,
    'export const twice = (value: number) => value * 2',
    'export class Queue { #items = []; push(item: never) { this.#items.push(item) } }',
    'export const route = { path: "/", handle() { return 1 } }',
  ])('is %s', (text) => {
    expect(hasLogic(parseSource('src/actors/queue.ts', text))).toBe(true)
  })
})
