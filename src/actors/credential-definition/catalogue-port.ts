import type { JsonText } from '../../ports/anoncreds.ts'

/** A published credential definition as exchanges need it. Immutable, so it may be kept. */
export type IssuingDefinition = {
  readonly catalogueId: string
  readonly ledgerId: string
  readonly schemaLedgerId: string
  readonly attributes: readonly string[]
  readonly publicPart: JsonText
  readonly keyCorrectnessProof: JsonText
}

export interface Catalogue {
  /** By catalogue id or ledger id, of this tenant; null when the tenant has none of that name. */
  definition(
    tenant: string,
    id: string,
  ): Promise<{ readonly status: string; readonly issuing: IssuingDefinition | null } | null>
  /** The private part, only for signing and verifying; never kept outside the tenant's own memory. */
  privatePart(tenant: string, catalogueId: string): Promise<JsonText>
  /** Schema and definition of any issuer, as a verifier needs them; null when the ledger has none. */
  forVerifying(
    schemaId: string,
    definitionId: string,
  ): Promise<{ readonly schema: JsonText; readonly definition: JsonText } | null>
}
