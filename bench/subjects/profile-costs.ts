import { readFileSync } from 'node:fs'

type Frame = { readonly functionName: string; readonly url: string }

export type Profile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: Frame
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export type Cost = { readonly part: string; readonly ms: number; readonly most: string }

const COLLECTOR = '(garbage collector)'

export const readProfile = (file: string): Profile => JSON.parse(readFileSync(file, 'utf8')) as Profile

/**
 * What the main thread's time went to, by the nearest part of the product on the stack, largest first. Signatures have
 * threads of their own and are not in it; sleep and the profiler's own work are left out.
 */
export const costsOf = ({ nodes, samples, timeDeltas }: Profile, operations: number): Cost[] => {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame] as const))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const costs = new Map<string, Map<string, number>>()
  for (const [index, leaf] of samples.entries()) {
    const found = partOf(stackOf(leaf, frames, parents))
    if (found === null) continue
    const functions = costs.get(found.part) ?? new Map<string, number>()
    costs.set(found.part, functions)
    functions.set(
      found.name,
      (functions.get(found.name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000 / operations,
    )
  }
  return [...costs]
    .map(([part, functions]) => {
      const sorted = [...functions].toSorted(([, left], [, right]) => right - left)
      return { part, ms: sorted.reduce((all, [, ms]) => all + ms, 0), most: sorted[0]?.[0] ?? '' }
    })
    .toSorted((left, right) => right.ms - left.ms)
}

const stackOf = (
  leaf: number,
  frames: ReadonlyMap<number, Frame>,
  parents: ReadonlyMap<number, number>,
): Frame[] => {
  const stack: Frame[] = []
  for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
    const frame = frames.get(id)
    if (frame) stack.push(frame)
  }
  return stack
}

const partOf = (stack: readonly Frame[]): { part: string; name: string } | null => {
  const [leaf] = stack
  if (
    leaf === undefined ||
    leaf.functionName === '(idle)' ||
    stack.some(({ url }) => url.includes('/bench/'))
  )
    return null
  if (leaf.functionName === COLLECTOR) return { part: 'collecting garbage', name: '' }
  const own = stack.find(({ url }) => url.includes('/src/') && !url.includes('/node_modules/'))
  if (own === undefined) return { part: packageOf(stack), name: leaf.functionName }
  const path = own.url.slice(own.url.lastIndexOf('/src/') + 1).split('/')
  const part = path[1] === 'persistence' && path.length > 3 ? path.slice(0, 3) : path.slice(0, 2)
  return { part: part.join('/'), name: `${own.functionName} in ${path.at(-1) ?? ''}` }
}

/** Behind what the product did not wait for: sockets, streams, timers. */
const packageOf = (stack: readonly Frame[]): string =>
  stack
    .map(({ url }) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1])
    .find((name) => name !== undefined) ?? 'Node itself'
