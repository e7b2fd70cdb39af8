import type { Answer, Described, Operation, Parameter, Schema } from '../../../src/http/docs/described.ts'
import { namesIn, typeText } from './type-text.ts'

export type Found = { readonly method: string; readonly path: string; readonly operation: Operation }

export const operationsWhere = (
  { paths }: Described,
  isWanted: (operation: Operation, path: string) => boolean,
): readonly Found[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isWanted(operation, path) && !isStream(operation))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** Streams are no calls with an answer. */
const isStream = ({ responses }: Operation): boolean =>
  'text/event-stream' in (responses['200']?.content ?? {})

/** The schemas that are named by what is handed over, and by each other. */
export const reachable = (from: readonly unknown[], { components }: Described): readonly string[] => {
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

export const typeOf = (name: string, schema: Schema): string => `export type ${name} = ${typeText(schema)}\n`

export const codesOf = ({ components }: Described): string => {
  const codes = components.schemas['Error']?.properties?.['error']?.enum ?? []
  const lines = codes.map((code) => `  | '${String(code)}'\n`).join('')
  return `/** Every code of this version of the API. A later version may have more. */\nexport type ErrorCode =\n${lines}`
}

export const contentOf = (part: Pick<Answer, 'content'> | undefined): Schema =>
  part?.content?.['application/json']?.schema ?? {}

export const queryOf = ({ parameters = [] }: Operation): readonly Parameter[] =>
  parameters.filter((each) => each.in === 'query')

export const capital = (name: string): string => `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`

/** The query and the body of an operation, named after it. */
export const parameterTypes = ({ operation }: Found): string[] => {
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

export const answerOf = ({ responses }: Operation): string => {
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, part]) => typeText(contentOf(part)))
  return [...new Set(answers)].join(' | ')
}
