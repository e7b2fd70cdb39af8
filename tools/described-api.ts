import { composeApi } from '../src/compose/api.ts'
import { contentsOf } from '../src/actors/contents.ts'
import { kinds } from '../src/actors/index.ts'
import type { ApiPorts } from '../src/actors/kind-ports.ts'
import type { Described } from '../src/http/docs/described.ts'
import { openApiDocument } from '../src/http/openapi/openapi.ts'
import type { Route } from '../src/http/route/route.ts'
import { healthRoute } from '../src/http/routes/health.ts'
import { openApiRoute } from '../src/http/routes/openapi.ts'

const contents = contentsOf(kinds)

/** Every route of the API, as it declares itself. Nothing is called, so nothing has to be there. */
export const apiRoutes = (): readonly Route[] => {
  const absent = {} as never
  const ports = { eventTypes: contents.events.map(({ type }) => type), publicUrl: () => '' }
  return composeApi({
    kinds,
    ports: ports as unknown as ApiPorts,
    config: { actors: { askTimeoutMs: 1_000 }, rates: absent },
    inbound: absent,
    forward: absent,
    largeEnvelopes: absent,
    cluster: absent,
    health: absent,
    listRebuild: absent,
    listsCaughtUp: absent,
    sandboxFaces: null,
    ledger: {
      namespace: '',
      genesis: { text: '', sha256: '{sha256}', signature: '' },
      earlier: [],
      signingPublicKey: '',
      hasVdrProxy: true,
    },
    vdrProxy: absent,
  }).routes
}

/** What GET /openapi.json answers, as it goes over the wire: without what JSON leaves out. */
export const apiDocument = (): Described => {
  const routes = [healthRoute(() => true), ...apiRoutes()]
  const document = openApiDocument([...routes, openApiRoute(routes, contents)], contents)
  return JSON.parse(JSON.stringify(document)) as Described
}
