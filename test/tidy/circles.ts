import { posix } from 'node:path'
import type { Source } from './source.ts'

/**
 * Groups of files that import each other, straight or round several corners, types included: none of them can be read,
 * moved or tested without the others. Each group is sorted, and the groups are.
 */
export function circles(sources: readonly Pick<Source, 'path' | 'imports'>[]): string[][] {
  const targets = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target }) =>
        target.startsWith('.') ? [posix.join(posix.dirname(path), target)] : [],
      ),
    ]),
  )
  const reached = new Map([...targets.keys()].map((path) => [path, reachableFrom(path, targets)]))
  const groups = new Map<string, string[]>()
  for (const [path, others] of reached) {
    if (!others.has(path)) continue
    const group = [...others].filter((other) => reached.get(other)?.has(path)).sort()
    groups.set(group.join(' '), group)
  }
  return [...groups.keys()].sort().flatMap((key) => [groups.get(key) ?? []])
}

function reachableFrom(start: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop())
    for (const target of targets.get(path) ?? []) {
      if (reached.has(target) || !targets.has(target)) continue
      reached.add(target)
      open.push(target)
    }
  return reached
}
