import { describe, expect, it } from 'vitest'
import { nodesInTouch, Touch } from '../../src/cluster/in-touch.ts'
import type { NodeLease } from '../../src/ports/lease.ts'
import { touchSettings } from './parts/leased-nodes.ts'

const lease = (node: string, reached: readonly string[], state: NodeLease['state'] = 'alive'): NodeLease => ({
  node,
  incarnation: 'i',
  counter: 1,
  address: '',
  linkAddress: '',
  state,
  reached,
})

/** Rows of nodes that are all linked, but for these pairs. */
const linkedBut = (nodes: readonly string[], ...cuts: readonly string[]): readonly NodeLease[] =>
  nodes.map((node) =>
    lease(
      node,
      nodes.filter(
        (other) => other !== node && !cuts.includes(`${node}${other}`) && !cuts.includes(`${other}${node}`),
      ),
    ),
  )
const inTouch = (rows: readonly NodeLease[]): string => [...nodesInTouch(rows, null)].toSorted().join('')

describe('the nodes that can work together', () => {
  it('are all that reach each other; one that nobody reaches goes alone, whatever its name', () => {
    expect(inTouch(linkedBut(['a', 'b', 'c']))).toBe('abc')
    expect(inTouch(linkedBut(['a', 'b', 'c'], 'ab', 'ac'))).toBe('bc')
    expect(inTouch(linkedBut(['a', 'b', 'c'], 'ac', 'bc'))).toBe('ab')
    expect(inTouch(linkedBut(['a', 'b', 'c', 'd', 'e'], 'cd', 'ce'))).toBe('abde')
  })

  it('are without the later by name of two that both reach all others', () => {
    expect(inTouch(linkedBut(['a', 'b', 'c'], 'ab'))).toBe('ac')
    expect(inTouch(linkedBut(['a', 'b', 'c', 'd'], 'cd'))).toBe('abc')
    expect(inTouch(linkedBut(['a', 'b'], 'ab'))).toBe('a')
  })

  it('are never none, and reach each other, whatever is cut', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e']
    const pairs = nodes.flatMap((one, at) => nodes.slice(at + 1).map((other) => one + other))
    for (let cuts = 0; cuts < 2 ** pairs.length; cuts++) {
      const cut = pairs.filter((_, at) => (cuts >> at) % 2 === 1)
      const together = inTouch(linkedBut(nodes, ...cut))
      expect(together.length).toBeGreaterThan(0)
      for (const pair of cut) expect(pair.split('').every((node) => together.includes(node))).toBe(false)
      if (cut.length === 0) expect(together).toBe('abcde')
    }
  })

  it('come to rest, from whatever part of them takes part at first', () => {
    const nodes = ['a', 'b', 'c', 'd']
    const pairs = nodes.flatMap((one, at) => nodes.slice(at + 1).map((other) => one + other))
    const someOf = <Item>(items: readonly Item[], bits: number): readonly Item[] =>
      items.filter((_, at) => (bits >> at) % 2 === 1)
    for (let cuts = 0; cuts < 2 ** pairs.length; cuts++) {
      const rows = linkedBut(nodes, ...someOf(pairs, cuts))
      for (let first = 0; first < 2 ** nodes.length; first++) {
        let alive: ReadonlySet<string> = new Set(someOf(nodes, first))
        let changes = 0
        for (let isOver = false; !isOver; changes++) {
          const state = (node: string) => (alive.has(node) ? 'alive' : 'coming')
          const chosen = nodesInTouch(
            rows.map((row) => ({ ...row, state: state(row.node) })),
            null,
          )
          // Those that come are there long before the others leave.
          const next = new Set([...alive, ...chosen])
          isOver = next.size === alive.size && chosen.size === alive.size
          alive = next.size === alive.size ? chosen : next
          expect(changes).toBeLessThan(4)
        }
      }
    }
  })

  it('need both to know of a link', () => {
    expect(inTouch([lease('a', ['b']), lease('b', [])])).toBe('a')
    expect(inTouch([lease('a', []), lease('b', ['a'])])).toBe('a')
    const { reached: _, ...silent } = lease('a', [])
    expect(inTouch([silent, lease('b', ['a'])])).toBe('ab')
  })

  it('take in one that comes, and lose none of them to it', () => {
    expect(inTouch([lease('b', ['a']), lease('a', ['b'], 'coming')])).toBe('ab')
    expect(inTouch([lease('b', []), lease('a', [], 'coming')])).toBe('b')
  })

  it('are seen by each by what it knows of its own links, which its row says later', () => {
    const rows = [lease('a', []), lease('b', []), lease('c', [])]
    expect([...nodesInTouch(rows, { node: 'c', reached: new Set(['a']) })].toSorted()).toEqual(['a', 'c'])
    expect([...nodesInTouch(linkedBut(['a', 'b']), { node: 'b', reached: new Set() })]).toEqual(['a'])
  })
})

describe('a node that is out of touch', () => {
  const outOf = (rows: readonly NodeLease[]) => {
    const own = { node: 'b', reached: new Set<string>() }
    const touch = new Touch({ own: () => own, settings: touchSettings, leaves: () => undefined })
    return { own, mustLeave: (nowMs: number) => touch.mustLeave({ standing: rows, nowMs }) }
  }
  const looks = (mustLeave: (nowMs: number) => boolean, fromMs: number, toMs: number): boolean => {
    for (let nowMs = fromMs; nowMs <= toMs; nowMs += 500) if (mustLeave(nowMs)) return true
    return false
  }

  it('leaves after its time, which begins again when it was in touch, and after a pause', () => {
    const { own, mustLeave } = outOf(linkedBut(['a', 'b']))
    expect(looks(mustLeave, 0, 19_000)).toBe(false)
    own.reached.add('a')
    expect(looks(mustLeave, 19_500, 19_500)).toBe(false)
    own.reached.clear()
    expect(looks(mustLeave, 20_000, 39_500)).toBe(false)
    // Frozen, or without its store.
    expect(looks(mustLeave, 60_000, 79_500)).toBe(false)
    expect(mustLeave(80_000)).toBe(true)
  })

  it('stays where nobody else takes part', () => {
    const { mustLeave } = outOf([lease('a', [], 'coming'), lease('b', []), lease('c', [], 'coming')])
    expect(looks(mustLeave, 0, 100_000)).toBe(false)
  })
})
