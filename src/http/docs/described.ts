/** The API description as far as the pages show it. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly description?: string
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly [limit: string]: unknown
}

export type Parameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: unknown
}

type Media = {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<
    Record<string, { readonly summary: string; readonly value: { readonly reason: string } }>
  >
}

type Content = {
  readonly 'application/json'?: Media
  readonly 'text/event-stream'?: Media
}

export type Answer = {
  readonly description: string
  readonly content?: Content
  readonly links?: Readonly<Record<string, { readonly description: string }>>
}

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Required<Pick<Content, 'application/json'>> }
  readonly responses: Readonly<Record<string, Answer>>
}

export type Described = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** An operation with its path; the path of a webhook is the type of its event. */
export type Placed = {
  readonly method: string
  readonly path: string
  readonly isWebhook: boolean
  readonly operation: Operation
}

export const operationsOf = (document: Described, tag: string): readonly Placed[] => [
  ...Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, isWebhook: false, operation })),
  ),
  ...Object.entries(document.webhooks)
    .filter(([, { post }]) => post.tags.includes(tag))
    .map(([path, { post }]) => ({ method: 'POST', path, isWebhook: true, operation: post })),
]

/** "Proof templates" stands at /docs/api/proof-templates. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')
