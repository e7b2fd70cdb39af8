import { expect } from 'vitest'

type Headers = Readonly<Record<string, string>>
type Json = Readonly<Record<string, unknown>>
export type Send = (
  method: string,
  path: string,
  headers: Headers,
  body?: unknown,
) => Promise<{ readonly status: number; readonly json: Json }>
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: object
}
type Asked = readonly [method: string, target: string, headers: Headers, body?: unknown]

/** Ends sessions, so it comes last. */
const LAST = /^(POST \/v1\/account\/password|DELETE \/v1\/session)/
/** Heads have bounds; longer ones never reach the service. */
const HEADER_CHARACTERS_MAX = 1_000

const describedOperations = async (send: Send) => {
  const { paths } = (await send('GET', '/openapi.json', {})).json as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  const isLast = ({ method, path }: { readonly method: string; readonly path: string }): number =>
    Number(LAST.test(`${method} ${path}`))
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([verb, operation]) => ({
        path,
        method: verb.toUpperCase(),
        operation,
      })),
    )
    .toSorted((left, right) => isLast(left) - isLast(right))
}

/** One after the other, from the first again after the last. */
const turning = (secrets: readonly string[]) => {
  let turn = 0
  const next = (): string => secrets[turn++ % secrets.length] ?? ''
  const several = (): string => {
    let text = next()
    for (let more = next(); text.length + more.length < HEADER_CHARACTERS_MAX; more = next())
      text += ` ${more}`
    return text
  }
  return { next, several }
}

const inPath = (text: string): string => encodeURIComponent(text)

/** What the description does not name: links, messages of wallets, the console's own, and what is nowhere. */
const undescribed = (next: () => string, secrets: readonly string[]): readonly Asked[] => [
  ['GET', `/i/${inPath(next())}?oob=${inPath(next())}`, {}],
  ['POST', `/i/${inPath(next())}`, {}, { [next()]: secrets }],
  ['POST', `/didcomm/${inPath(next())}`, { 'content-type': 'application/didcomm-envelope-enc' }, secrets],
  ['POST', `/didcomm/con_00aaaaaaaaaa?${inPath(next())}`, { 'content-type': next() }, secrets],
  ['GET', `/docs/${inPath(next())}`, {}],
  ['GET', `/console/${inPath(next())}?${inPath(next())}=${inPath(next())}`, {}],
  ['GET', `/${inPath(next())}`, {}],
  ['PUT', `/v1/${inPath(next())}/${inPath(next())}`, {}, { [next()]: secrets }],
  ['PATCH', `/v1/connections?q=${inPath(next())}`, {}, { [next()]: secrets }],
  ['GET', `/openapi.json?${inPath(next())}`, { 'if-none-match': `"${next()}"` }],
]

/**
 * Secrets in every place of every route where a caller may put something, and on paths that no description names: they
 * are refused or ignored. Bodies carry all of them; places for one text have them in turn. Tells how many were sent.
 */
export const sweep = async (
  send: Send,
  callers: readonly Headers[],
  all: readonly string[],
): Promise<number> => {
  const secrets = all.map((secret) => secret.slice(0, 90))
  const { next, several } = turning(secrets)
  const headersOf = (): Headers => ({
    'idempotency-key': next(),
    'x-request-id': next(),
    'x-canary': several(),
    'user-agent': next(),
  })
  const described = await describedOperations(send)
  let sent = 0
  const ask = async ([method, target, headers, body]: Asked): Promise<void> => {
    const { status } = await send(method, target, headers, body)
    expect(status, `${method} ${target.slice(0, 30)}`).toBeLessThan(500)
    sent += 1
  }
  for (const caller of callers)
    for (const [method, target, headers, body] of undescribed(next, secrets))
      await ask([method, target, { ...headersOf(), ...headers, ...caller }, body])
  for (const { path, method, operation } of described)
    for (const caller of callers) {
      const params = (operation.parameters ?? []).filter((each) => each.in === 'query')
      const query = new URLSearchParams([
        ...params.map(({ name }): [string, string] => [name, next()]),
        [next(), next()],
      ])
      const target = `${path.replace('{id}', inPath(next()))}?${query.toString()}`
      const body =
        operation.requestBody === undefined
          ? undefined
          : { [next()]: next(), id: { [next()]: next() }, all: secrets }
      await ask([method, target, { ...headersOf(), ...caller }, body])
    }
  return sent
}
