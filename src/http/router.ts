import type { Route } from './route.ts'

export type Match =
  | { readonly is: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly is: 'wrong_method'; readonly allow: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'malformed' }

type Shape = { readonly segments: readonly string[]; readonly routes: Map<string, Route> }

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})
const UNKNOWN: Match = { is: 'unknown' }

/** Finds the route of a path. Fixed paths by one look-up, the others by the number of their segments. */
export const createRouter = (routes: readonly Route[]): ((method: string, path: string) => Match) => {
  const fixed = new Map<string, Shape>()
  const shapes = new Map<string, Shape>()
  for (const route of routes) {
    const shape = shapes.get(route.path) ?? { segments: route.path.split('/'), routes: new Map() }
    if (shape.routes.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`)
    shape.routes.set(route.method, route)
    shapes.set(route.path, shape)
    if (!route.path.includes('{')) fixed.set(route.path, shape)
  }
  const byLength = Map.groupBy(
    [...shapes.values()].filter((shape) => shape.segments.some(isParam)),
    (shape) => shape.segments.length,
  )
  return (method, path) => {
    const exact = fixed.get(path)
    if (exact !== undefined) return choose(exact, method, NO_PARAMS)
    const segments = path.split('/')
    for (const shape of byLength.get(segments.length) ?? []) {
      if (!shape.segments.every((expected, index) => isParam(expected) || expected === segments[index]))
        continue
      const params = decode(shape.segments, segments)
      return params === null ? { is: 'malformed' } : choose(shape, method, params)
    }
    return UNKNOWN
  }
}

const isParam = (segment: string): boolean => segment.startsWith('{')

const choose = (shape: Shape, method: string, params: Readonly<Record<string, string>>): Match => {
  // Every GET answers HEAD as well; the server leaves the body out.
  const route = shape.routes.get(method === 'HEAD' ? 'GET' : method)
  return route === undefined ? { is: 'wrong_method', allow: allowed(shape) } : { is: 'route', route, params }
}

const allowed = (shape: Shape): string => {
  const methods = [...shape.routes.keys()]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

const decode = (names: readonly string[], segments: readonly string[]): Record<string, string> | null => {
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    if (!isParam(name)) continue
    const text = segments[index] ?? ''
    try {
      params[name.slice(1, -1)] = text.includes('%') ? decodeURIComponent(text) : text
    } catch {
      return null
    }
  }
  return params
}
