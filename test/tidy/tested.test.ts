import { describe, expect, it } from 'vitest'
import { parseSource } from './source.ts'
import { hasLogic, untested } from './tested.ts'

const logic = 'export function add(left: number, right: number) { return left + right }'
const repository = (...files: (readonly [string, string])[]) =>
  untested(files.map(([path, text]) => parseSource(path, text)))

describe('a file with logic', () => {
  it('without its test is named together with the test to write', () => {
    expect(repository(['src/http/route.ts', logic])).toEqual([
      'src/http/route.ts has logic and no test: write test/http/route.test.ts.',
    ])
  })

  it.each(['test/http/route.test.ts', 'test/contract/route.test.ts', 'test/integration/http/route.test.ts'])(
    'may have its test in %s',
    (test) => expect(repository(['src/http/route.ts', logic], [test, ''])).toEqual([]),
  )

  it('is not tested by a file of the same name in another room', () => {
    expect(repository(['src/http/route.ts', logic], ['test/stream/route.test.ts', ''])).toHaveLength(1)
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
