/** A chapter of the description: operations that belong together. */
export type Tag = {
  readonly name: string
  readonly description: string
  readonly group: (typeof TAG_GROUPS)[number]
}

export const TAG_GROUPS = ['For your backend', 'For the console', 'For operators'] as const

/** Chapters of the routes that are about the service itself, not about a kind of record. */
export const serviceTags = {
  service: {
    name: 'Service',
    description: 'The ledger, the health of the service and this description.',
    group: 'For your backend',
  },
  operators: {
    name: 'Operators',
    description: 'For those who run the service.',
    group: 'For operators',
  },
} as const satisfies Readonly<Record<string, Tag>>

/** `order` comes first; tags that routes name beside it follow, each once. */
export const tagsOf = (
  routes: readonly { readonly tag: Tag | null }[],
  order: readonly Tag[],
): readonly Tag[] => [...new Set([...order, ...routes.flatMap(({ tag }) => (tag === null ? [] : [tag]))])]
