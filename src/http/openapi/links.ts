import type { TSchema } from 'typebox'
import type { Route } from '../route/route.ts'

type Json = { readonly [key: string]: unknown }

/** A field of an answer that names another record, and the operation that shows it. */
const OTHERS: Readonly<Record<string, string>> = {
  connectionId: 'getConnection',
  credentialDefinitionId: 'getCredentialDefinition',
  proofTemplateId: 'getProofTemplate',
}

/**
 * The ids of an answer link to the record itself, to other records that it names, and to the answers to an invitation.
 */
export const linksOf = (route: Route, schema: TSchema, routes: readonly Route[]): Json => {
  const names = Object.keys((schema as { readonly properties?: object }).properties ?? {})
  const known = new Map(routes.map((each) => [each.operationId, each]))
  const targets = names.flatMap((name): Target[] => {
    if (name === 'id') return [{ to: routeOfRecord(route, routes), parameter: 'id', name }]
    if (name === 'invitationId') return [{ to: known.get('listConnections'), parameter: name, name }]
    // In the view of a definition this field is its id on the ledger, not a link.
    const to = known.get(OTHERS[name] ?? '')
    return to === undefined || recordPath(to.path) === recordPath(route.path)
      ? []
      : [{ to, parameter: 'id', name }]
  })
  return Object.fromEntries(
    targets.flatMap(({ to, parameter, name }) =>
      to === undefined || recordPath(to.path) === route.path
        ? []
        : [[to.operationId, link(to, parameter, name)] as const],
    ),
  )
}

type Target = { readonly to: Route | undefined; readonly parameter: string; readonly name: string }

const link = ({ operationId, summary }: Route, parameter: string, field: string): Json => ({
  operationId,
  parameters: { [parameter]: `$response.body#/${field}` },
  description: `${summary}, by \`${field}\`.`,
})

/** The GET by id next to a path: of /v1/credentials/offer it is /v1/credentials/{id}. */
const routeOfRecord = ({ path }: Route, routes: readonly Route[]): Route | undefined => {
  const wanted = recordPath(path)
  return routes.find((each) => each.method === 'GET' && each.path === wanted)
}

const recordPath = (path: string): string => `${path.split('/').slice(0, 3).join('/')}/{id}`
