import type { OfferCredentialBody } from '../api/generated/operations.ts'
import { EXPIRES_AT } from '../setup/value-kinds.ts'

export type OfferDraft = {
  readonly connectionId: string
  readonly definitionId: string
  readonly externalId: string
  /** By the names of the schema. */
  readonly values: Readonly<Record<string, string>>
  /** The last day of the credential, as the person means it: YYYY-MM-DD. */
  readonly lastDay: string
}

const SECONDS_MAX = 2_147_483_647
/** The day of that second. */
export const LAST_DAY = '2038-01-19'

/** The end of a day as the service takes it: Unix seconds in text, which fit into 32 bits. */
export const endOfDay = (day: string): string => {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number)
  const seconds = Math.floor(new Date(year, month - 1, date + 1).getTime() / 1_000) - 1
  return Number.isNaN(seconds) ? '' : String(Math.min(seconds, SECONDS_MAX))
}

/** What is offered: a value for each name of the schema, and the end. */
export const offerBody = (draft: OfferDraft, names: readonly string[]): OfferCredentialBody => {
  const externalId = draft.externalId.trim()
  const values = names
    .filter((name) => name !== EXPIRES_AT)
    .map((name) => [name, draft.values[name] ?? ''] as const)
  return {
    connectionId: draft.connectionId,
    credentialDefinitionId: draft.definitionId,
    attributes: { ...Object.fromEntries(values), [EXPIRES_AT]: endOfDay(draft.lastDay) },
    ...(externalId !== '' && { externalId }),
  }
}
