import type { Json, Tenant } from '../../flows/tenant.ts'
import type { HeardEvent } from '../../flows/webhook-receiver.ts'
import { untilFound } from '../../harness/waiting.ts'
import { inLanes } from '../scenario.ts'
import type { Subject } from './subjects.ts'

const LANES = 8
const PAGE_SIZE = 100
const LISTED_LIMIT_MS = 30_000
const PERSONAL = ['attributes', 'disclosed', 'theirLabel', 'errorMessage'] as const
const OVER = new Set(['done', 'declined', 'abandoned', 'closed'])

export type Snapshot = ReadonlyMap<string, Json>

/** The records as the API shows them. */
export const shownOf = async (tenant: Tenant, subjects: readonly Subject[]): Promise<Snapshot> => {
  const shown = new Map<string, Json>()
  await inLanes(LANES, subjects.length, async (number) => {
    const subject = subjects[number - 1]
    if (subject !== undefined) shown.set(subject.id, await tenant.get(subject.path))
  })
  return shown
}

/** What an erased record must not be like, one sentence each. */
export const wrongErased = ({ id, value }: Subject, record: Json | undefined): readonly string[] => {
  if (record === undefined) return [`${id} was not looked at`]
  const left = PERSONAL.filter((field) => (record[field] ?? null) !== null)
  return [
    ...(record['erasedAt'] === null
      ? [`${id} was erased and has no erasedAt: ${JSON.stringify(record)}`]
      : []),
    ...(OVER.has(String(record['state'])) ? [] : [`${id} is erased and ${String(record['state'])}`]),
    ...left.map((field) => `${id} is erased and has ${field}`),
    ...(JSON.stringify(record).includes(value) ? [`${id} is erased and shows its text`] : []),
  ]
}

/** What has become of a record that nobody asked about: one that was over is as it was, one that ran may have gone on. */
export const wrongKept = (
  { id }: Pick<Subject, 'id'>,
  before: Json | undefined,
  now: Json | undefined,
): readonly string[] => {
  if (before === undefined || now === undefined) return [`${id} was not looked at`]
  if (now['erasedAt'] !== null) return [`${id} was erased, and nothing asked for that`]
  const [was, is] = [before, now].map((record) => JSON.stringify(record))
  if (OVER.has(String(before['state'])) || id.startsWith('con'))
    return was === is ? [] : [`${id} was touched: ${was} became ${is}`]
  const texts = [before, now].map(({ attributes }) => JSON.stringify(attributes ?? null))
  return texts[0] === texts[1] ? [] : [`${id} lost what it had: ${was} became ${is}`]
}

/** Each stands once in the log of erasures, which is a list and so may be a moment behind. */
export const wrongEntries = async (tenant: Tenant, subjects: readonly Subject[]): Promise<string[]> => {
  const problems: string[] = []
  for (const { id } of subjects) {
    let total: unknown = 0
    const isListed = async (): Promise<boolean> => {
      ;({ total } = await tenant.get(`/v1/erasures?q=${id}`))
      return Number(total) >= 1
    }
    const otherwise = () => new Error('late')
    await untilFound(isListed, { limitMs: LISTED_LIMIT_MS, everyMs: 100, otherwise }).catch(() => undefined)
    if (total !== 1) problems.push(`/v1/erasures lists ${id} ${String(total)} times`)
  }
  return problems
}

/** The whole log of erasures, when nothing comes to it any more: these records, and no other. */
export const wrongLog = async (tenant: Tenant, erased: ReadonlySet<string>): Promise<string[]> => {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const { items } = await tenant.get(`/v1/erasures?page=${page}&pageSize=${PAGE_SIZE}`)
    found.push(...(items as readonly Json[]).map(({ recordId }) => String(recordId)))
    if ((items as readonly Json[]).length < PAGE_SIZE) break
  }
  const listed = new Set(found)
  return [
    ...(listed.size === found.length ? [] : [`/v1/erasures has ${found.length - listed.size} entries twice`]),
    ...[...erased].filter((id) => !listed.has(id)).map((id) => `/v1/erasures does not list ${id}`),
    ...[...listed].filter((id) => !erased.has(id)).map((id) => `/v1/erasures lists ${id}, which was not`),
  ]
}

export const erasedIn = (events: readonly HeardEvent[]): readonly string[] =>
  events
    .filter(({ type }) => type === 'record.erased')
    .map(({ data }) => String((data as unknown as Json)['recordId']))

/** One `record.erased` for each erased record, by the ids of events: repetitions of one are one. */
export const wrongEvents = (events: readonly HeardEvent[], erased: ReadonlySet<string>): string[] => {
  const byRecord = Map.groupBy(erasedIn(events), (id) => id)
  return [
    ...[...erased].filter((id) => !byRecord.has(id)).map((id) => `there was no record.erased of ${id}`),
    ...[...byRecord].flatMap(([id, all]) => [
      ...(all.length === 1 ? [] : [`there were ${all.length} different record.erased of ${id}`]),
      ...(erased.has(id) ? [] : [`there was a record.erased of ${id}, which was not`]),
    ]),
  ]
}
