import type { Described } from '../docs/described.ts'
import { guides } from '../docs/generated/guides.ts'
import { createSite, type Site } from '../docs/site.ts'
import { type Contents, openApiDocument } from '../openapi/openapi.ts'
import { pack, type Packed, packedReply } from '../front-door/compressed-reply.ts'
import { type Problem, problem } from '../route/problem.ts'
import { defineRawRoute, type RawRequest, type Route } from '../route/route.ts'
import type { Reply } from '../server/server.ts'
import { FOR_EVER, pageHeaders } from './page-headers.ts'

const SECURITY = pageHeaders()
const PAGE = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'public, max-age=300' }

/** The API and the guides for tenants as pages. They hold no data of any organisation, so they need no credential. */
export const docsRoutes = (routes: readonly Route[], contents: Contents): readonly Route[] => {
  const kept = new Map<string, Packed>()
  let made: Site | null = null
  const site = (): Site => {
    // Serialised once, so that fields that JSON leaves out are not there.
    made ??= createSite(JSON.parse(JSON.stringify(openApiDocument(routes, contents))) as Described, guides)
    return made
  }
  const make = (path: string): Packed | null => {
    const [, asset] = /^\/docs\/assets\/(.*)$/.exec(path) ?? []
    if (asset === undefined) {
      const text = site().page(path)
      return text === null ? null : pack(text, { ...SECURITY, ...PAGE })
    }
    const file = site().asset(asset)
    return file && pack(file.text, { ...SECURITY, 'Content-Type': file.type, 'Cache-Control': FOR_EVER })
  }
  const route = (path: string, operationId: string, summary: string): Route => {
    const handle = ({ params, head }: RawRequest): Reply | Problem => {
      const wanted = path.replace(/\/$/, '').replace(/\{(\w+)\}/, (_, name: string) => params[name] ?? '')
      const found = kept.get(wanted) ?? make(wanted)
      if (found === null) return problem('not_found', 'There is no such page; /docs leads to all of them.')
      // There are few pages, and they change only with the program.
      kept.set(wanted, found)
      return packedReply(found, head)
    }
    const raw = { contentTypes: [], handle }
    return defineRawRoute({ method: 'GET', path, operationId, summary, errors: ['not_found'], raw })
  }
  return [
    route('/docs', 'openDocs', 'Shows the API and the guides for tenants'),
    route('/docs/', 'openDocsFolder', 'The same, for addresses that end with a slash'),
    route('/docs/{page}', 'openGuide', 'Shows a guide'),
    route('/docs/api/{tag}', 'openReference', 'Shows a part of the API'),
    route('/docs/assets/{file}', 'getDocsAsset', 'Style and script of the pages'),
  ]
}
