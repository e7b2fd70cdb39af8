import type { TSchema } from 'typebox'
import type { Route } from '../route/route.ts'

type Json = { readonly [key: string]: unknown }

/**
 * The ids of an answer link to the record itself, and to the routes of other records that are called by them
 * (`linkedBy`). A route that shows one record links to nothing of its own kind.
 */
export const linksOf = (route: Route, schema: TSchema, routes: readonly Route[]): Json => {
  const names = Object.keys((schema as { readonly properties?: object }).properties ?? {})
  const others = routes.filter(({ path }) => recordPath(path) !== route.path)
  const elsewhere = others.find((to) => to.path !== route.path && showsOne(to, schema))
  const own = elsewhere ?? others.find((to) => isRecordOf(route, to))
  const links = names.flatMap((name) =>
    others.filter((to) => (name === 'id' ? to === own : to.linkedBy === name)).map((to) => link(to, name)),
  )
  return Object.fromEntries(links)
}

/** A list is filtered by the field; a record is shown by its id. */
const link = ({ operationId, summary, path }: Route, field: string): readonly [string, Json] => {
  const parameter = path.endsWith('/{id}') ? 'id' : field
  const parameters = { [parameter]: `$response.body#/${field}` }
  return [operationId, { operationId, parameters, description: `${summary}, by \`${field}\`.` }]
}

/** A route may make another record than its path names. */
const showsOne = ({ method, path, responses }: Route, { title }: { readonly title?: unknown }): boolean => {
  const shown: { readonly title?: unknown } | undefined = responses[200]
  return method === 'GET' && path.endsWith('/{id}') && title !== undefined && shown?.title === title
}

/** The GET by id next to a path: of /v1/credentials/offer it is /v1/credentials/{id}. */
const isRecordOf = (route: Route, { method, path }: Route): boolean =>
  method === 'GET' && path === recordPath(route.path)

const recordPath = (path: string): string => `${path.split('/').slice(0, 3).join('/')}/{id}`
