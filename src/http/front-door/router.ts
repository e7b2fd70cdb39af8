import type { Route } from '../route/route.ts'

type Routed = Pick<Route, 'method' | 'path'> & Partial<Pick<Route, 'raw'>>

export type Match<Found extends Routed> =
  | { readonly is: 'route'; readonly route: Found; readonly params: Readonly<Record<string, string>> }
  | { readonly is: 'wrong_method'; readonly allow: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'malformed' }

type Shape<Found> = { readonly segments: readonly string[]; readonly routes: Map<string, Found> }

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})
const UNKNOWN = { is: 'unknown' } as const

/**
 * Finds the route of a path: fixed paths and those that end in an id by one look-up, others among those with as many
 * segments.
 */
export const createRouter = <Found extends Routed>(
  routes: readonly Found[],
): ((method: string, path: string) => Match<Found>) => {
  const fixed = new Map<string, Shape<Found>>()
  const shapes = new Map<string, Shape<Found>>()
  for (const route of routes) {
    const shape = shapes.get(route.path) ?? { segments: route.path.split('/'), routes: new Map() }
    if (shape.routes.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`)
    shape.routes.set(route.method, route)
    shapes.set(route.path, shape)
    if (!route.path.includes('{')) fixed.set(route.path, shape)
  }
  const withParams = [...shapes.values()].filter((shape) => shape.segments.some(isParam))
  const endingInId = new Map(withParams.filter(endsInId).map((shape) => [folderOf(shape), shape]))
  const byLength = Map.groupBy(withParams, (shape) => shape.segments.length)
  return (method, path) => {
    const exact = fixed.get(path)
    if (exact !== undefined) return choose(exact, method, NO_PARAMS)
    const cut = path.lastIndexOf('/')
    const known = endingInId.get(path.slice(0, cut))
    if (known !== undefined) {
      const params = decode(known.segments, known.segments.length - 1, [path.slice(cut + 1)])
      return params === null ? { is: 'malformed' } : choose(known, method, params)
    }
    const segments = path.split('/')
    for (const shape of byLength.get(segments.length) ?? []) {
      if (!shape.segments.every((expected, index) => isParam(expected) || expected === segments[index]))
        continue
      const params = decode(shape.segments, 0, segments)
      return params === null ? { is: 'malformed' } : choose(shape, method, params)
    }
    return UNKNOWN
  }
}

const endsInId = ({ segments }: Shape<unknown>): boolean =>
  segments.findIndex(isParam) === segments.length - 1
const folderOf = ({ segments }: Shape<unknown>): string => segments.slice(0, -1).join('/')
const isParam = (segment: string): boolean => segment.startsWith('{')

const choose = <Found extends Routed>(
  shape: Shape<Found>,
  method: string,
  params: Readonly<Record<string, string>>,
): Match<Found> => {
  // Every GET route answers HEAD as well; the server leaves out the body.
  const route = shape.routes.get(method === 'HEAD' ? 'GET' : method)
  return route === undefined ? { is: 'wrong_method', allow: allowed(shape) } : { is: 'route', route, params }
}

/** The methods that the description has: what is not built yet answers, and is not offered. */
const allowed = (shape: Shape<Routed>): string => {
  const all = [...shape.routes.values()]
  const described = all.filter(({ raw = null }) => raw === null)
  const methods: string[] = (described.length > 0 ? described : all).map(({ method }) => method)
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** `texts` are the segments from number `from` on. */
const decode = (
  names: readonly string[],
  from: number,
  texts: readonly string[],
): Record<string, string> | null => {
  const params: Record<string, string> = {}
  for (let index = from; index < names.length; index++) {
    const name = names[index] ?? ''
    if (!isParam(name)) continue
    const text = texts[index - from] ?? ''
    try {
      params[name.slice(1, -1)] = text.includes('%') ? decodeURIComponent(text) : text
    } catch {
      return null
    }
  }
  return params
}
