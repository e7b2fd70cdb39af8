import { pack, type Packed, packedReply } from '../front-door/compressed-reply.ts'
import { type Problem, problem } from '../route/problem.ts'
import { defineRawRoute, type RawRequest, type Route } from '../route/route.ts'
import type { Reply } from '../server/server.ts'
import { FOR_EVER, pageHeaders } from './page-headers.ts'

/** Names of files, as the build made them, with their texts; one of them is `index.html`. */
export type ConsoleFiles = ReadonlyMap<string, string>

const PAGE = 'index.html'
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}
/** The console speaks to the service that it came from and to nobody else, and makes no markup from texts. */
const SECURITY = {
  ...pageHeaders("connect-src 'self'", "trusted-types 'none'"),
  'Permissions-Policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
}

/** The deepest address of a page is /console/connections/con_…/credentials. */
const PAGES = [
  ['/console', 'openConsole'],
  ['/console/', 'openConsoleFolder'],
  ['/console/{page}', 'openConsolePage'],
  ['/console/{page}/{id}', 'openConsoleRecord'],
  ['/console/{page}/{id}/{part}', 'openConsolePart'],
] as const

/**
 * The console of people. Its files hold no data of any organisation, so they need no credential; what they show they ask
 * of the API. All addresses of its pages give the same page, which is asked for anew each time; it names the other files.
 */
export const consoleRoutes = (files: ConsoleFiles): readonly Route[] => {
  const kept = new Map<string, Packed>()
  const packed = (name: string): Packed | null => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const text = files.get(name)
    if (text === undefined) return null
    const made = pack(text, {
      ...SECURITY,
      'Content-Type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8',
      'Cache-Control': name === PAGE ? 'no-cache' : FOR_EVER,
    })
    kept.set(name, made)
    return made
  }
  const route = (
    path: string,
    operationId: string,
    fileOf: (params: RawRequest['params']) => string,
  ): Route => {
    const handle = ({ params, head }: RawRequest): Reply | Problem => {
      const found = packed(fileOf(params))
      if (found === null) return problem('not_found', 'There is no such file; /console leads to the console.')
      return packedReply(found, head)
    }
    const raw = { contentTypes: [], handle }
    const summary = 'Shows the console'
    return defineRawRoute({ method: 'GET', path, operationId, summary, errors: ['not_found'], raw })
  }
  return [
    beginning,
    ...PAGES.map(([path, operationId]) => route(path, operationId, () => PAGE)),
    route('/console/assets/{file}', 'getConsoleAsset', ({ file = '' }) => (file === PAGE ? '' : file)),
  ]
}

/** Who opens the bare address of the service is a person. */
const beginning: Route = defineRawRoute({
  method: 'GET',
  path: '/',
  operationId: 'openService',
  summary: 'Leads to the console',
  errors: [],
  raw: {
    contentTypes: [],
    handle: () => ({
      status: 302,
      headers: { Location: '/console', 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' },
      body: new Uint8Array(),
    }),
  },
})
