import type { Answer } from '../../src/cli/service-call.ts'
import type { GiveOrder } from '../../tools/harness/orders.ts'

const LIMIT_MS = 400_000
const LOOK_EVERY_MS = 100

export type Published = { readonly definitionId: string; readonly templateId: string }

/** A schema, a definition and a template that asks for `revealed`; the service adds that nothing has expired. */
export const publishDefinition = async (
  order: GiveOrder,
  tenant: string,
  attributes: readonly string[],
  revealed: readonly string[],
): Promise<Published> => {
  const isPublished = ({ status }: Answer): boolean => status === 'published'
  const schema = await order('schema publish', { tenant, name: 'person', version: '1.0', attributes })
  const schemaId = String(schema['id'])
  await untilShown(order, 'schema show', { id: schemaId, tenant }, isPublished)
  const made = await order('definition publish', { tenant, schemaId, tag: 'default' })
  const definitionId = String(made['id'])
  await untilShown(order, 'definition show', { id: definitionId, tenant }, isPublished)
  const template = await order('template create', {
    tenant,
    name: 'Not expired',
    description: null,
    groups: [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: revealed }],
    predicates: [],
  })
  return { definitionId, templateId: String(template['id']) }
}

/** Resolves when an order shows what is waited for. */
export const untilShown = async (
  order: GiveOrder,
  show: string,
  what: { readonly id: string; readonly tenant: string },
  isThere: (shown: Answer) => boolean,
): Promise<void> => {
  const deadlineMs = performance.now() + LIMIT_MS
  for (;;) {
    const shown = await order(show, what)
    if (isThere(shown)) return
    if (shown['status'] === 'failed' || performance.now() > deadlineMs)
      throw new Error(`${what.id} did not come to the ledger: ${String(shown['lastError'])}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
