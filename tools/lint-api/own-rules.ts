import type { Described, Operation, Schema } from '../../src/http/docs/described.ts'

type Link = { readonly description: string; readonly operationId: string; readonly parameters: object }

/** What no linter asks for and tenants need: examples everywhere, links that lead somewhere, no field unexplained. */
export const ownObjections = (document: Described): readonly string[] => {
  const items = [...Object.values(document.paths), ...Object.values(document.webhooks)]
  const operations = items.flatMap((item) => Object.values<Operation>(item))
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

const contentsOf = ({ requestBody, responses }: Operation) =>
  [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))

const examplesMissing = (operation: Operation): string[] => {
  const { operationId, parameters = [] } = operation
  return [
    ...contentsOf(operation)
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
    Object.entries(links as Readonly<Record<string, Link>>).flatMap(([name, link]) => {
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
  return contentsOf(operation).flatMap(({ schema }) => fields(schema, operation.operationId))
}
