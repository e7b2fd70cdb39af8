import type { Answer, Described, Operation, Parameter, Schema } from '../../../src/http/docs/described.ts'
import { comment, namesIn, typeText } from './type-text.ts'

type Found = { readonly method: string; readonly path: string; readonly operation: Operation }

/** The part of the client that follows from the description: types, and a method for all that an API key may call. */
export const clientApi = (description: Described): string => {
  const found = operationsOf(description)
  const events = Object.values(description.webhooks).map(({ post }) => contentOf(post.requestBody))
  const named = reachable([...found.map(({ operation }) => operation), ...events], description)
  return [
    '// Made from the API description by `npm run generate`.',
    "import type { CallOptions, KeyedCallOptions, Send, WriteOptions } from '../call.ts'",
    "import { eachOf } from '../pages.ts'",
    '',
    ...named.map((name) => typeOf(name, description.components.schemas[name] ?? {})),
    `/** Whatever is posted to the webhook endpoint; there may be more types than these some day. */\nexport type WebhookEvent =\n${events.map((schema) => `  | ${typeText(schema)}\n`).join('')}`,
    codesOf(description),
    ...found.flatMap(parameterTypes),
    classOf(found),
  ].join('\n')
}

const operationsOf = ({ paths }: Described): readonly Found[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(
        ([, operation]) => operation.security.some((scheme) => 'apiKey' in scheme) && !isStream(operation),
      )
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** Streams are for a person at a terminal, not for a program that has webhooks. */
const isStream = ({ responses }: Operation): boolean =>
  'text/event-stream' in (responses['200']?.content ?? {})

const reachable = (from: readonly unknown[], { components }: Described): readonly string[] => {
  const known = new Set<string>()
  const visit = (value: unknown): void => {
    for (const name of namesIn(value).filter((each) => each !== 'Error' && !known.has(each))) {
      known.add(name)
      visit(components.schemas[name])
    }
  }
  visit(from)
  return [...known].toSorted()
}

const typeOf = (name: string, schema: Schema): string => `export type ${name} = ${typeText(schema)}\n`

const codesOf = ({ components }: Described): string => {
  const codes = components.schemas['Error']?.properties?.['error']?.enum ?? []
  const lines = codes.map((code) => `  | '${String(code)}'\n`).join('')
  return `/** Every code of this version of the API. A later version may have more. */\nexport type ErrorCode =\n${lines}`
}

const contentOf = (part: Pick<Answer, 'content'> | undefined): Schema =>
  part?.content?.['application/json']?.schema ?? {}

const queryOf = ({ parameters = [] }: Operation): readonly Parameter[] =>
  parameters.filter((each) => each.in === 'query')

const inPathOf = ({ parameters = [] }: Operation): readonly string[] =>
  parameters.filter((each) => each.in === 'path').map((each) => each.name)

const capital = (name: string): string => `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`

/** The query and the body of an operation, named after it. */
const parameterTypes = ({ operation }: Found): string[] => {
  const name = capital(operation.operationId)
  const query = queryOf(operation)
  const properties = Object.fromEntries(
    query.map(({ name: key, description, schema }) => [key, { ...schema, description }]),
  )
  const required = query.filter((each) => each.required).map((each) => each.name)
  const schema = { type: 'object', properties, required }
  return [
    ...(query.length > 0 ? [typeOf(`${name}Query`, schema)] : []),
    ...(operation.requestBody === undefined ? [] : [typeOf(`${name}Body`, contentOf(operation.requestBody))]),
  ]
}

const classOf = (found: readonly Found[]): string => {
  const methods = found.flatMap((each) => [methodOf(each), ...iteratorOf(each)])
  return [
    '/** A method for each operation that an API key may call. */',
    'export class TenantApi {',
    '  readonly #send: Send',
    '',
    '  constructor(send: Send) {',
    '    this.#send = send',
    '  }',
    '',
    `${methods.join('\n')}}`,
    '',
  ].join('\n')
}

const methodOf = ({ method, path, operation }: Found): string => {
  const { operationId, parameters = [] } = operation
  const name = capital(operationId)
  const inPath = inPathOf(operation)
  const key = parameters.find((each) => each.in === 'header' && each.name === 'Idempotency-Key')
  const hasQuery = queryOf(operation).length > 0
  const hasBody = operation.requestBody !== undefined
  const takes = [
    ...inPath.map((each) => `${each}: string`),
    ...(hasBody ? [`body: ${name}Body`] : []),
    ...(hasQuery ? [`query: ${name}Query = {}`] : []),
    key === undefined
      ? 'options?: CallOptions'
      : key.required
        ? 'options: KeyedCallOptions'
        : 'options?: WriteOptions',
  ]
  const target = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => `\${encodeURIComponent(${each})}`)
  const request = [
    `method: '${method}'`,
    `path: ${inPath.length > 0 ? `\`${target}\`` : `'${target}'`}`,
    ...(hasQuery ? ['query'] : []),
    ...(hasBody ? ['body'] : []),
    ...(key === undefined ? [] : ['keyed: true']),
  ]
  const said = `${operation.summary}.\n\n${operation.description}`
  return `${comment(said, '  ')}  ${operationId}(${takes.join(', ')}): Promise<${answerOf(operation)}> {\n    return this.#send({ ${request.join(', ')} }, options)\n  }\n`
}

const answerOf = ({ responses }: Operation): string => {
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, part]) => typeText(contentOf(part)))
  return [...new Set(answers)].join(' | ')
}

/** A method that goes through a list, one record after the other, however many pages there are. */
const iteratorOf = ({ operation }: Found): string[] => {
  const { operationId } = operation
  const page = /^(\w+)Page$/.exec(answerOf(operation))?.[1]
  if (page === undefined) return []
  const query = `Omit<${capital(operationId)}Query, 'page'>`
  const inPath = inPathOf(operation)
  const takes = inPath.map((each) => `${each}: string, `).join('')
  const passed = inPath.map((each) => `${each}, `).join('')
  const isTimed = queryOf(operation).some(({ name }) => name === 'to')
  return [
    `  /** ${operation.summary.replace('Lists', 'Goes through')}, page by page. */\n  each${page}(${takes}query: ${query} = {}, options?: CallOptions): AsyncGenerator<${page}, void, undefined> {\n    return eachOf((asked: ${capital(operationId)}Query) => this.${operationId}(${passed}asked, options), query, ${isTimed ? "'to'" : 'null'})\n  }\n`,
  ]
}
