import { describe, expect, it } from 'vitest'
import { parseSource } from './source.ts'
import { hasLogic, untested } from './tested.ts'

const logic = 'export function add(left: number, right: number) { return left + right }'
const parsed = (files: readonly (readonly [string, string])[]) =>
  files.map(([path, text]) => parseSource(path, text))
const repository = (...files: (readonly [string, string])[]) => untested(parsed(files))

describe('a folder with logic', () => {
  it('without a test is named together with the place for one', () => {
    expect(repository(['src/http/route/route.ts', logic])).toEqual([
      'src/http/route/ has logic and no test: write one in test/http/route/.',
    ])
  })

  it.each([
    'test/http/route/route.test.ts',
    'test/http/route/answers.test.ts',
    'test/contract/http/route/route.test.ts',
    'test/integration/http/route/route.test.ts',
  ])('is tested by %s', (test) =>
    expect(repository(['src/http/route/route.ts', logic], [test, ''])).toEqual([]),
  )

  it.each(['test/stream/route.test.ts', 'test/contract/route.test.ts', 'test/http/route/world.ts'])(
    'is not tested by %s',
    (test) => expect(repository(['src/http/route/route.ts', logic], [test, ''])).toHaveLength(1),
  )

  it('may have its tests where the list says', () => {
    const elsewhere = new Map([['src/http/route', 'so']])
    expect(untested(parsed([['src/http/route/route.ts', logic]]), elsewhere)).toEqual([])
  })
})

describe('logic', () => {
  it.each([
    'export class ShardLost extends Error { constructor(shard: number) { super(`lost ${shard}`) } }',
    'export const define = (definition: object) => definition',
    'export interface Port { ask(question: string): Promise<string> }',
    'export const limits = { askTimeoutMs: 5_000, names: ["a"] } as const',
    'export declare function native(): void',
    `export { route } from './route.ts'`,
  ])('is not %s', (text) => {
    expect(hasLogic(parseSource('src/ports/actors.ts', text))).toBe(false)
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
