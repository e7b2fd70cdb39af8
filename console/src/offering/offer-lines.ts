import type { OfferCredentialBody } from '../api/generated/operations.ts'
import { EXPIRES_AT } from '../setup/value-kinds.ts'
import { fill, numberText, texts } from '../texts/texts.ts'
import type { CsvRow } from './csv.ts'
import { endOfDay } from './offer-draft.ts'

export const CONNECTION_ID = 'connectionId'
export const EXTERNAL_ID = 'externalId'
export const OFFERS_MAX = 1_000

export type OfferLine = { readonly line: number; readonly offer: OfferCredentialBody }
export type LineFault = { readonly line: number; readonly text: string }

export type ReadLines = {
  readonly offers: readonly OfferLine[]
  readonly faults: readonly LineFault[]
  /** Columns that nothing is made of. */
  readonly ignored: readonly string[]
}

type Asked = {
  readonly definitionId: string
  /** The attributes of the definition, without the end of the credential. */
  readonly names: readonly string[]
  /** For lines that do not say themselves when their credential ends: YYYY-MM-DD. */
  readonly lastDay: string
  readonly nowMs: number
}

const said = texts.many.faults
const EXTERNAL_ID_MAX = 200
const VALUE_BYTES_MAX = 4_096
const SECONDS_MAX = 2_147_483_647
/** What a program for tables that was asked for another encoding leaves where it could not read a letter. */
const UNREADABLE = '\u{FFFD}'

/** The offers that a table says, and what is wrong with it, by its lines. */
export const readOfferLines = ([head, ...rows]: readonly CsvRow[], asked: Asked): ReadLines => {
  const columns = (head?.cells ?? []).map((cell) => cell.trim())
  const needed = [CONNECTION_ID, ...asked.names]
  const known = [...needed, EXTERNAL_ID, EXPIRES_AT]
  const ignored = columns.filter((name) => name !== '' && !known.includes(name))
  const wrongHead = faultOfHead(columns, needed, rows.length)
  if (head === undefined || wrongHead !== null)
    return { offers: [], faults: [{ line: head?.line ?? 1, text: wrongHead ?? said.empty }], ignored }
  const offers: OfferLine[] = []
  const faults: LineFault[] = []
  const firstLines = new Map<string, number>()
  for (const { line, cells } of rows) {
    const valueOf = (name: string): string => cells[columns.indexOf(name)] ?? ''
    const offer = offerOf(valueOf, asked)
    const content = JSON.stringify(offer)
    const first = firstLines.get(content)
    firstLines.set(content, first ?? line)
    const found = [
      cells.length > columns.length ? said.cells : null,
      cells.some((cell) => cell.includes(UNREADABLE)) ? said.encoding : null,
      ...faultsOfOffer(offer, asked.nowMs),
      first === undefined ? null : fill(said.twice, { line: first }),
    ].filter((text) => text !== null)
    if (found.length === 0) offers.push({ line, offer })
    else faults.push({ line, text: found.join(' ') })
  }
  return { offers, faults, ignored }
}

const faultOfHead = (columns: readonly string[], needed: readonly string[], rows: number): string | null => {
  const missing = needed.filter((name) => !columns.includes(name))
  if (missing.length > 0) return fill(said.missing, { names: missing.join(', ') })
  const twice = needed.filter((name) => columns.indexOf(name) !== columns.lastIndexOf(name))
  if (twice.length > 0) return fill(said.columnTwice, { names: twice.join(', ') })
  if (rows === 0) return said.empty
  return rows > OFFERS_MAX
    ? fill(said.tooMany, { rows: numberText(rows), most: numberText(OFFERS_MAX) })
    : null
}

const offerOf = (valueOf: (name: string) => string, asked: Asked): OfferCredentialBody => {
  const externalId = valueOf(EXTERNAL_ID).trim()
  const end = valueOf(EXPIRES_AT).trim()
  return {
    connectionId: valueOf(CONNECTION_ID).trim(),
    credentialDefinitionId: asked.definitionId,
    attributes: {
      ...Object.fromEntries(asked.names.map((name) => [name, valueOf(name)])),
      [EXPIRES_AT]: secondsOf(end === '' ? asked.lastDay : end),
    },
    ...(externalId !== '' && { externalId }),
  }
}

/** A day, or Unix seconds already. */
const secondsOf = (text: string): string => (/^[1-9]\d{0,9}$/.test(text) ? text : endOfDay(text))

const bytes = new TextEncoder()

const faultsOfOffer = (
  { connectionId, attributes, externalId = '' }: OfferCredentialBody,
  nowMs: number,
): readonly (string | null)[] => {
  const seconds = Number(attributes[EXPIRES_AT])
  const tooLong = Object.entries(attributes).filter(
    ([, value]) => bytes.encode(value).length > VALUE_BYTES_MAX,
  )
  return [
    /^con_[0-9a-z]+$/.test(connectionId) ? null : said.connection,
    seconds * 1_000 > nowMs && seconds <= SECONDS_MAX ? null : said.expiresAt,
    externalId.length > EXTERNAL_ID_MAX ? said.externalId : null,
    ...tooLong.map(([name]) => fill(said.value, { name })),
  ]
}
