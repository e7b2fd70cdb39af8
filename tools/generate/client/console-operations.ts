import type { Described, Operation } from '../../../src/http/docs/described.ts'
import {
  answerOf,
  capital,
  codesOf,
  type Found,
  operationsWhere,
  parameterTypes,
  queryOf,
  reachable,
  typeOf,
} from './described-operations.ts'

/** What the console may call: each operation with its address, what it takes and what it gives. */
export const consoleOperations = (description: Described): string => {
  const found = operationsWhere(description, isForPeople)
  const named = reachable(
    found.map(({ operation }) => operation),
    description,
  )
  return [
    '// Made from the API description by `npm run generate`.',
    '',
    ...named.map((name) => typeOf(name, description.components.schemas[name] ?? {})),
    codesOf(description),
    ...found.flatMap(parameterTypes),
    `/** What each operation takes. */\nexport type Takes = {\n${found.map(takesOf).join('')}}\n`,
    `/** What each operation answers when all went well. */\nexport type Gives = {\n${found.map(givesOf).join('')}}\n`,
    '/** Types of the events that organisations hear of. */',
    `export const eventTypes = [\n${Object.keys(description.webhooks)
      .map((type) => `  '${type}',\n`)
      .join('')}] as const\n`,
    'export type EventType = (typeof eventTypes)[number]\n',
    '/** Method and path of each operation; `keyed` has its effect once for an Idempotency-Key. */',
    `export const operations = {\n${found.map(addressOf).join('')}} as const\n`,
  ].join('\n')
}

/** A session may call it, or it is a step on the way to one. */
const isForPeople = ({ security, tags }: Operation, path: string): boolean =>
  path.startsWith('/v1/') && (security.some((each) => 'session' in each) || tags.includes('Signing in'))

const takesOf = ({ operation }: Found): string => {
  const { operationId, parameters = [], requestBody } = operation
  const name = capital(operationId)
  const inPath = parameters
    .filter((each) => each.in === 'path')
    .map((each) => `readonly ${each.name}: string`)
  const parts = [
    ...(inPath.length > 0 ? [`readonly path: { ${inPath.join('; ')} }`] : []),
    ...(queryOf(operation).length > 0 ? [`readonly query?: ${name}Query`] : []),
    ...(requestBody === undefined ? [] : [`readonly body: ${name}Body`]),
  ]
  return `  ${operationId}: ${parts.length === 0 ? 'object' : `{ ${parts.join('; ')} }`}\n`
}

const givesOf = ({ operation }: Found): string => `  ${operation.operationId}: ${answerOf(operation)}\n`

const addressOf = ({ method, path, operation: { operationId, parameters = [] } }: Found): string => {
  const isKeyed = parameters.some((each) => each.in === 'header' && each.name === 'Idempotency-Key')
  return `  ${operationId}: ['${method}', '${path}', ${isKeyed ? `'keyed'` : `''`}],\n`
}
