import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connection } from '../../actors/connection/rules.ts'
import { credential } from '../../actors/credential/rules.ts'
import { proof } from '../../actors/proof/rules.ts'
import { tenant } from '../../actors/tenant/rules.ts'
import { limits } from '../../domain/limits.ts'

const VERSION = 1

/** The first line of an export. `journal`: the identity that a journal and its key store share. */
export type ExportHead = {
  readonly vouchsafeErasures: typeof VERSION
  readonly journal: string
  readonly since: string | null
  readonly exportedAt: string
}

/** An entry of the log of erasures, with its organisation. */
export type ErasedLine = {
  readonly organisation: string
  readonly recordType: 'connection' | 'credential' | 'proof'
  readonly recordId: string
  readonly initiator: 'api_key' | 'tenant_member' | 'operator'
  readonly erasedAt: string
}

/** The retention period that an organisation has set: what its sweeps erase follows from it. */
export type PeriodLine = {
  readonly organisation: string
  readonly retentionDays: number
  readonly changedAt: string
}

/** An organisation whose deletion has begun or ended: it can be called back no more. */
export type DeletionLine = {
  readonly organisation: string
  readonly initiator: 'operator'
  readonly deletionOrderedAt: string
}

/** A deletion that was called back must not begin because an older backup has its order alone. */
export type CalledBackLine = {
  readonly organisation: string
  readonly initiator: 'operator'
  readonly deletionCalledBackAt: string
}

/** By the last line a file that was cut off is known. */
type LastLine = { readonly lines: number }

export type OrganisationLine = PeriodLine | DeletionLine | CalledBackLine
export type ErasureLine = ErasedLine | OrganisationLine

export const isErased = (line: ErasureLine): line is ErasedLine => 'recordId' in line

export const exportHead = (head: Omit<ExportHead, 'vouchsafeErasures'>): ExportHead => ({
  vouchsafeErasures: VERSION,
  ...head,
})

export const textOf = (line: ExportHead | ErasureLine | LastLine): string => `${JSON.stringify(line)}\n`

const NOTHING_CHANGED = 'Nothing was changed.'

/** What the file holds, line by line, so that it may be of any length. Throws one sentence for the operator. */
export async function* linesIn(file: string, journal: string): AsyncGenerator<ErasureLine> {
  let number = 0
  let isComplete = false
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number++
    const line = parsed(text)
    if (number === 1) checkHead(file, line, journal)
    else if (isComplete) throw malformed(file, number)
    else if (isLine(line)) yield line
    else if (line['lines'] === number - 2) isComplete = true
    else throw malformed(file, number)
  }
  if (!isComplete) throw new Error(`${file} is cut off: export it again. ${NOTHING_CHANGED}`)
}

const malformed = (file: string, number: number): Error =>
  new Error(
    `Line ${number} of ${file} is none that vouchsafe erasures export of this release writes. ${NOTHING_CHANGED}`,
  )

type Unchecked = Readonly<Record<string, unknown>>

const parsed = (text: string): Unchecked => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Unchecked) : {}
  } catch {
    return {}
  }
}

const checkHead = (file: string, head: Unchecked, journal: string): void => {
  if (head['vouchsafeErasures'] !== VERSION || typeof head['journal'] !== 'string') throw malformed(file, 1)
  if (head['journal'] === journal) return
  throw new Error(
    `${file} was exported from another installation (${head['journal']}, this one is ${journal}). ${NOTHING_CHANGED}`,
  )
}

const references = { connection, credential, proof } as const
const INITIATORS: readonly unknown[] = [
  'api_key',
  'tenant_member',
  'operator',
] satisfies ErasedLine['initiator'][]

const isLine = (line: Unchecked): line is Unchecked & ErasureLine => {
  const { organisation, recordType, recordId, initiator, erasedAt } = line
  if (typeof organisation !== 'string' || tenant.find(organisation) === null) return false
  if (recordId === undefined) return isOrganisationLine(line)
  if (typeof recordId !== 'string' || !INITIATORS.includes(initiator) || !isTime(erasedAt)) return false
  const found = Object.entries(references).find(([name]) => name === recordType)
  return found !== undefined && found[1].find(recordId) !== null
}

/** Of one type alone, because a line of two would be read as the first of them. */
const isOrganisationLine = (line: Unchecked): boolean => {
  const { initiator, retentionDays, changedAt, deletionOrderedAt, deletionCalledBackAt } = line
  const times = [changedAt, deletionOrderedAt, deletionCalledBackAt].filter((time) => time !== undefined)
  if (times.length !== 1 || !times.every(isTime)) return false
  return changedAt === undefined ? initiator === 'operator' : isDays(retentionDays)
}

const isDays = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= limits.retentionDaysMax

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
