import type { Described, Operation } from '../../../src/http/docs/described.ts'
import {
  answerOf,
  capital,
  codesOf,
  contentOf,
  type Found,
  operationsWhere,
  parameterTypes,
  queryOf,
  reachable,
  typeOf,
} from './described-operations.ts'
import { comment, typeText } from './type-text.ts'

/** The part of the client that follows from the description: types, and a method for all that an API key may call. */
export const clientApi = (description: Described): string => {
  const found = operationsWhere(description, ({ security }) => security.some((each) => 'apiKey' in each))
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

const inPathOf = ({ parameters = [] }: Operation): readonly string[] =>
  parameters.filter((each) => each.in === 'path').map((each) => each.name)

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
