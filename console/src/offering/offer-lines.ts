import type { OfferCredentialBody } from '../api/generated/operations.ts'
import { EXPIRES_AT } from '../setup/value-kinds.ts'
import { fill, numberText, texts } from '../texts/texts.ts'
import type { CsvRow } from './csv.ts'
import { endOfDay } from './offer-draft.ts'

export const CONNECTION_ID = 'connectionId'
export const EXTERNAL_ID = 'externalId'
/** In one table. They go to the service in parts, at the rate that it takes them. */
export const LINES_MAX = 100_000

export type OfferLine = {
  readonly line: number
  readonly offer: OfferCredentialBody
  /** Of the offer as JSON. */
  readonly bytes: number
}
export type LineFault = { readonly line: number; readonly text: string }

export type ReadLines = {
  readonly offers: readonly OfferLine[]
  readonly faults: readonly LineFault[]
  /** Columns that nothing is made of. */
  readonly ignored: readonly string[]
}

export type Asked = {
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

/** Takes the lines of a table one by one, so that a long table can be read in pieces. */
export class LinesReader {
  readonly #asked: Asked
  readonly #offers: OfferLine[] = []
  readonly #faults: LineFault[] = []
  readonly #firstLines = new Map<string, number>()
  #columns: readonly string[] = []
  #headLine = 0
  #lines = 0

  constructor(asked: Asked) {
    this.#asked = asked
  }

  take({ line, cells }: CsvRow): void {
    if (this.#headLine === 0) {
      this.#headLine = line
      this.#columns = cells.map((cell) => cell.trim())
      return
    }
    this.#lines += 1
    if (this.#lines <= LINES_MAX) this.#takeOffer(line, cells)
  }

  /** The offers that the table says, and what is wrong with it, by its lines. */
  get read(): ReadLines {
    const { names } = this.#asked
    const needed = [CONNECTION_ID, ...names]
    const known = [...needed, EXTERNAL_ID, EXPIRES_AT]
    const ignored = this.#columns.filter((name) => name !== '' && !known.includes(name))
    const text = faultOfTable(this.#columns, needed, this.#lines)
    if (text !== null) return { offers: [], faults: [{ line: Math.max(this.#headLine, 1), text }], ignored }
    return { offers: this.#offers, faults: this.#faults, ignored }
  }

  #takeOffer(line: number, cells: readonly string[]): void {
    const valueOf = (name: string): string => cells[this.#columns.indexOf(name)] ?? ''
    const offer = offerOf(valueOf, this.#asked)
    const content = JSON.stringify(offer)
    const first = this.#firstLines.get(content)
    this.#firstLines.set(content, first ?? line)
    const found = [
      cells.length > this.#columns.length ? said.cells : null,
      cells.some((cell) => cell.includes(UNREADABLE)) ? said.encoding : null,
      ...faultsOfOffer(offer, this.#asked.nowMs),
      first === undefined ? null : fill(said.twice, { line: numberText(first) }),
    ].filter((text) => text !== null)
    if (found.length === 0) this.#offers.push({ line, offer, bytes: bytesOf(content) })
    else this.#faults.push({ line, text: found.join(' ') })
  }
}

const faultOfTable = (
  columns: readonly string[],
  needed: readonly string[],
  lines: number,
): string | null => {
  const missing = needed.filter((name) => !columns.includes(name))
  if (missing.length > 0) return fill(said.missing, { names: missing.join(', ') })
  const twice = needed.filter((name) => columns.indexOf(name) !== columns.lastIndexOf(name))
  if (twice.length > 0) return fill(said.columnTwice, { names: twice.join(', ') })
  if (lines === 0) return said.empty
  return lines > LINES_MAX
    ? fill(said.tooMany, { rows: numberText(lines), most: numberText(LINES_MAX) })
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

const utf8 = new TextEncoder()
const bytesOf = (text: string): number => utf8.encode(text).length

const faultsOfOffer = (
  { connectionId, attributes, externalId = '' }: OfferCredentialBody,
  nowMs: number,
): readonly (string | null)[] => {
  const seconds = Number(attributes[EXPIRES_AT])
  const tooLong = Object.entries(attributes).filter(([, value]) => bytesOf(value) > VALUE_BYTES_MAX)
  return [
    /^con_[0-9a-z]+$/.test(connectionId) ? null : said.connection,
    seconds * 1_000 > nowMs && seconds <= SECONDS_MAX ? null : said.expiresAt,
    externalId.length > EXTERNAL_ID_MAX ? said.externalId : null,
    ...tooLong.map(([name]) => fill(said.value, { name })),
  ]
}
