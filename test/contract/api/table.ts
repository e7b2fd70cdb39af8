import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Code } from '../../../src/domain/codes.ts'
import { statusOf } from '../../../src/http/route/problem.ts'
import type { Answer, Asked, World } from './world.ts'

type Media = { readonly schema: Json; readonly examples?: Readonly<Record<string, unknown>> }
type Content = {
  readonly content?: { readonly 'application/json'?: Media; readonly 'text/event-stream'?: Media }
}
type Json = Readonly<Record<string, unknown>>
export type Operation = {
  readonly security: readonly Json[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Json }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } }
  readonly responses: Readonly<Record<string, Content>>
}
/** `POST /v1/things` */
export type RouteName = `${string} ${string}`
export type DescribedRoute = {
  readonly name: RouteName
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly codes: readonly Code[]
}

/** A request that succeeds, fresh every time: nothing stands in its way and nobody else needs what it changes. */
type Sampled = Omit<Asked, 'target'> & {
  /** The path of the route, unless it names an id. */
  readonly target?: string
  /** Parts of a body that stand for others in it. */
  readonly instead?: Readonly<Record<string, unknown>>
  /** What a changed part needs of the rest of its body. */
  readonly alongside?: (body: Json, changed: string) => Json
}
export type Sample = (at: World) => Sampled | Promise<Sampled>
export type Samples = Readonly<Record<RouteName, Sample>>

/** What a caller meets: the refusal, or for a limit what is accepted last and refused first. */
export type Case = {
  readonly route: RouteName
  readonly shows: Code | 'success' | `limit: ${string}`
  readonly run: (at: World) => Promise<Answer | Edge>
}
export type Edge = {
  readonly accepted: Answer
  readonly refused: Answer
  readonly as: Code
  /** What is within the limit is refused all the same where nobody can make it fit: with this code alone. */
  readonly orElse?: Code
  /** What the refusal must name. */
  readonly names?: string
}

export const refuses = (route: RouteName, code: Code, run: (at: World) => Promise<Answer>): Case => ({
  route,
  shows: code,
  run,
})
export const edge = (route: RouteName, of: string, run: (at: World) => Promise<Edge>): Case => ({
  route,
  shows: `limit: ${of}`,
  run,
})

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Json }
}

/** Without references, which lead to the components. */
const resolved = (value: unknown, schemas: Json): unknown => {
  if (Array.isArray(value)) return value.map((each) => resolved(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const reference = (value as Json)['$ref']
  if (typeof reference === 'string') return resolved(schemas[reference.split('/').at(-1) ?? ''], schemas)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner, schemas)]))
}

/** Every route that is served and described, with every code that its description names. */
export const describedRoutes = async (at: World): Promise<readonly DescribedRoute[]> => {
  const document = (await at.raw('GET', { as: 'nobody', target: '/openapi.json' }))
    .json as unknown as Document
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, described]) => {
      const { requestBody, parameters, ...rest } = described
      const input = resolved({ requestBody, parameters }, document.components.schemas) as Partial<Operation>
      const operation = {
        ...rest,
        ...(input.requestBody !== undefined && { requestBody: input.requestBody }),
        ...(input.parameters !== undefined && { parameters: input.parameters }),
      }
      const method = verb.toUpperCase()
      const examples = Object.values(operation.responses).map(
        ({ content }) => content?.['application/json']?.examples ?? {},
      )
      const codes = [...new Set(examples.flatMap((each) => Object.keys(each)))].filter(
        (code): code is Code => code in statusOf,
      )
      return { name: `${method} ${path}` as const, method, path, operation, codes }
    }),
  )
}

/** Checks answers against the document that the service itself serves. */
export const checker = async (at: World) => {
  const document = (await at.raw('GET', { as: 'nobody', target: '/openapi.json' })).json
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'api' })
  const pointer = (...steps: readonly string[]): string =>
    `api#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
  return ({ path, method, operation, name }: DescribedRoute, { shows }: Case, met: Answer | Edge): void => {
    const fits = (answer: Answer): void => {
      const said = `${name}: ${answer.status} ${answer.text.slice(0, 300)}`
      expect(Object.keys(operation.responses), said).toContain(String(answer.status))
      const place = ['paths', path, method.toLowerCase(), 'responses', String(answer.status)]
      const [media = ''] = Object.keys(operation.responses[String(answer.status)]?.content ?? {})
      const { 'content-type': type, 'Content-Type': written = type } = answer.headers
      expect(written, said).toBe(media)
      const check = ajv.compile({ $ref: pointer(...place, 'content', media, 'schema') })
      expect(
        check(media === 'application/json' ? answer.json : answer.text),
        `${said}: ${ajv.errorsText(check.errors)}`,
      ).toBe(true)
    }
    const refused = (answer: Answer, code: Code): void => {
      expect([answer.status, answer.json['error']], `${name}: ${answer.text.slice(0, 300)}`).toEqual([
        statusOf[code],
        code,
      ])
      expect(Object.keys(answer.json).toSorted()).toEqual(['error', 'reason'])
      expect(answer.json['reason']).toMatch(/^\S.{8,}[.]$/s)
      fits(answer)
    }
    if (!('status' in met)) {
      refused(met.refused, met.as)
      const { accepted, orElse, names = '' } = met
      expect(met.refused.json['reason']).toContain(names)
      if (orElse !== undefined && accepted.status >= 300) refused(accepted, orElse)
      else expect(accepted.status, accepted.text.slice(0, 300)).toBeLessThan(300)
      if (accepted.json['error'] === met.as)
        expect(accepted.json['reason']).not.toBe(met.refused.json['reason'])
    } else if (shows === 'success') {
      expect(met.status, `${name}: ${met.text.slice(0, 300)}`).toBeLessThan(300)
      fits(met)
    } else refused(met, shows as Code)
  }
}
