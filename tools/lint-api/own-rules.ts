type Json = { readonly [key: string]: unknown }
type Schema = {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}
type Content = {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
type Answer = {
  readonly content?: Readonly<Record<string, Content>>
  readonly links?: Readonly<Record<string, { readonly operationId: string; readonly parameters: Json }>>
}
type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Answer>>
}
type Items = Readonly<Record<string, Readonly<Record<string, Operation>>>>
export type Described = {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Items
  readonly webhooks: Items
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** What no linter asks for and tenants need: examples everywhere, links that lead somewhere, no field unexplained. */
export const ownObjections = (document: Described): readonly string[] => {
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((item) =>
    Object.values(item),
  )
  const known = new Map(operations.map((operation) => [operation.operationId, operation]))
  const used = new Set(operations.flatMap(({ tags }) => tags))
  return [
    ...operations.filter(({ tags }) => tags.length !== 1).map(untagged),
    ...operations.flatMap(examplesMissing),
    ...operations.flatMap((operation) => brokenLinks(operation, known)),
    ...new Set(operations.flatMap((operation) => unexplained(operation, document))),
    ...document.tags.filter(({ name }) => !used.has(name) && !AHEAD.has(name)).map(unusedTag),
  ]
}

/** Tags whose routes are not part of the description before they do something. */
const AHEAD = new Set(['Biometrics'])

const untagged = ({ operationId }: Operation): string =>
  `${operationId} has no tag: give its route one of src/actors/tags.ts`

const unusedTag = ({ name }: { readonly name: string }): string => `the tag ${name} has no operation`

const examplesMissing = ({ operationId, parameters = [], requestBody, responses }: Operation): string[] => {
  const contents = [requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}),
  )
  return [
    ...contents
      .filter(({ example, examples = {} }) => example === undefined && Object.keys(examples).length === 0)
      .map(() => `${operationId} has a body without an example`),
    ...parameters
      .filter(({ name, example }) => example === undefined && !name.startsWith('X-'))
      .map(({ name }) => `${operationId} has no example for ${name}`),
  ]
}

const brokenLinks = (
  { operationId, responses }: Operation,
  known: ReadonlyMap<string, Operation>,
): string[] =>
  Object.values(responses).flatMap(({ links = {} }) =>
    Object.entries(links).flatMap(([name, link]) => {
      const names = known.get(link.operationId)?.parameters?.map((each) => each.name)
      if (names === undefined) return [`${operationId} links ${name} to nothing`]
      return Object.keys(link.parameters)
        .filter((parameter) => !names.includes(parameter))
        .map((parameter) => `${operationId} links ${name} by ${parameter}, which it does not take`)
    }),
  )

const unexplained = (operation: Operation, { components }: Described): string[] => {
  const fields = (schema: Schema, path: string): string[] => {
    const { $ref, properties = {}, items, anyOf = [] } = schema
    if ($ref !== undefined) {
      const name = $ref.split('/').at(-1) ?? ''
      const target = components.schemas[name]
      return target === undefined ? [`${path} refers to ${$ref}, which is not there`] : fields(target, name)
    }
    return [
      ...Object.entries(properties).flatMap(([name, inner]) => [
        ...(inner.description === undefined && inner.$ref === undefined
          ? [`${path}.${name} has no description`]
          : []),
        ...fields(inner, `${path}.${name}`),
      ]),
      ...(items === undefined ? [] : fields(items, path)),
      ...anyOf.flatMap((each) => fields(each, path)),
    ]
  }
  const { operationId, requestBody, responses } = operation
  const bodies = [requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}),
  )
  return [...new Set(bodies.flatMap(({ schema }) => fields(schema, operationId)))]
}
