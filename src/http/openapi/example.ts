import type { TSchema } from 'typebox'

type Json = { readonly [key: string]: unknown }
type Plain = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
}

/** Examples for fields by their name, whatever else their schema allows. */
const named: Readonly<Record<string, string>> = {
  id: 'cre_5f1h2v9k3w7c8m4n6p0q5r2t',
  connectionId: 'con_5f8d2k4m6p7q9r1s3t5v0w2x',
  invitationId: 'inv_a04c6e8g1j3m5p7r9t2v4x6z',
  threadId: 'cre_5f1h2v9k3w7c8m4n6p0q5r2t',
  proofTemplateId: 'tpl_3b7d9f1h3k5m7p9r1t3v5x7z',
  credentialDefinitionId: 'def_c20a4b6d8f1e3c5a7b9d0f2e4c',
  credentialDefinitionIds: 'def_c20a4b6d8f1e3c5a7b9d0f2e4c',
  schemaId: 'V4SGRU86Z58d6TV7PBUe6f:2:person:1.0',
  qualifiedId: 'did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/SCHEMA/person/1.0',
  externalId: 'order-1042',
  installationId: '3f2b8c1e-6a4d-4b7e-9f10-2c5d8e7a6b43',
  invitationUrl: 'https://vouchsafe.example/i/inv_a04c6e8g1j3m5p7r9t2v4x6z?oob=eyJAdHlwZSI6Ii4uLiJ9',
  walletToken: 'svc_wt_…',
  secret: 'svc_whsec_…',
  url: 'https://backend.example/webhooks',
  theirLabel: 'Phone',
  alias: 'Reception desk',
  name: 'person',
  version: '1.0',
  tag: 'default',
  attributes: 'name',
  attribute: 'name',
  group: 'person',
  state: 'done',
  status: 'active',
}

/** A value that the schema accepts; always the same one. */
export const exampleOf = (schema: TSchema, name = ''): unknown => {
  const plain = schema as Plain
  const { anyOf, examples, type } = plain
  if (examples !== undefined && examples.length > 0) return examples[0]
  if ('const' in plain) return plain.const
  if (plain.enum !== undefined) return plain.enum[0]
  if (anyOf !== undefined)
    return exampleOf(anyOf.find((each) => (each as Plain).type !== 'null') ?? anyOf[0] ?? {}, name)
  if (type === 'object') return objectOf(plain)
  if (type === 'array') return arrayOf(plain, name)
  if (type === 'string') return stringOf(plain, name)
  if (type === 'integer' || type === 'number') return Math.max(plain.minimum ?? 1, 1)
  return type === 'boolean' ? true : type === 'null' ? null : {}
}

const objectOf = ({ properties, patternProperties }: Plain): Json => {
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([property, inner]) => [property, exampleOf(inner, property)]),
    )
  const [value] = Object.values(patternProperties ?? {})
  return value === undefined ? {} : { name: exampleOf(value, 'value') }
}

const arrayOf = ({ items, minItems = 1 }: Plain, name: string): unknown[] =>
  items === undefined ? [] : Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, name))

const stringOf = ({ format, minLength = 0 }: Plain, name: string): string => {
  if (format === 'date-time') return '2026-01-31T12:00:00.000Z'
  return (named[name] ?? 'text').padEnd(minLength, '0')
}
