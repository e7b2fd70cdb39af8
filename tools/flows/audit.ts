import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventIdOf } from '../../src/actors/state-changed.ts'
import { CELL_BYTES } from '../../src/persistence/sqlite/body-file.ts'
import type { Flow } from './flow.ts'
import type { PhoneReport } from './phones-process.ts'
import type { Json, Tenant } from './tenant.ts'
import type { HeardEvent } from './webhook-receiver.ts'

/** The way through the transition tables of docs/EXCHANGES.md when all sides agree. */
const PATHS = {
  con: ['request-received', 'response-sent', 'completed'],
  cre: ['offer-sent', 'request-received', 'credential-issued', 'done'],
  pro: ['request-sent', 'presentation-received', 'done'],
} as const
export const EVENTS_OF_A_FLOW = Object.values(PATHS).flat().length

/** How far a record in this state has come; -1 where flows do not lead to it. */
export const stageOf = (record: string, state: string): number =>
  (PATHS[record.slice(0, 3) as keyof typeof PATHS] as readonly string[] | undefined)?.indexOf(state) ?? -1

/** Every record of the flows that is not in its final state, one sentence each. */
export const wrongStates = async (flows: readonly Flow[], tenant: Tenant): Promise<string[]> => {
  const problems: string[] = []
  for (const { name, connectionId, credentialId, proofId } of flows) {
    const expect = async (path: string, wanted: Json): Promise<void> => {
      const found = await tenant.get(path)
      for (const [field, value] of Object.entries(wanted)) {
        if (JSON.stringify(found[field]) === JSON.stringify(value)) continue
        problems.push(`${path} has ${field} ${JSON.stringify(found[field])}, not ${JSON.stringify(value)}`)
      }
    }
    await expect(`/v1/connections/${connectionId}`, { state: 'completed' })
    await expect(`/v1/credentials/${credentialId}`, { state: 'done', connectionId })
    const disclosed = { person: { name } }
    await expect(`/v1/proofs/${proofId}`, { state: 'done', connectionId, verified: true, disclosed })
  }
  return problems
}

/** Each record's events, put in order by their numbers, are its way through the table: none missing, none too many. */
export const wrongHistories = (flows: readonly Flow[], events: readonly HeardEvent[]): string[] => {
  const byRecord = Map.groupBy(events, ({ data }) => data.id)
  const known = flows.flatMap(({ connectionId, credentialId, proofId }) => [
    connectionId,
    credentialId,
    proofId,
  ])
  const unheard = known.filter((id) => !byRecord.has(id)).map((id) => `there was no webhook about ${id}`)
  const wrong = [...byRecord].flatMap(([id, heard]) => {
    const path = PATHS[id.slice(0, 3) as keyof typeof PATHS] ?? []
    const wanted = path.map((state, index) => `${index + 1} ${path[index - 1] ?? '·'}→${state}`)
    const found = heard
      .map(({ id: event, data }) => ({ number: Number(event.split('_').at(-1)), data }))
      .toSorted((left, right) => left.number - right.number)
      .map(({ number, data }) => `${number} ${data.previousState ?? '·'}→${data.state}`)
    return found.join() === wanted.join() ? [] : [`the webhooks of ${id} were ${found.join(', ')}`]
  })
  return [...unheard, ...wrong]
}

/** What should have been heard of these flows and was not. */
export const unheardEvents = (
  flows: readonly Flow[],
  events: readonly HeardEvent[],
): readonly { readonly record: string; readonly event: string }[] => {
  const heard = new Set(events.map(({ id }) => id))
  return flows
    .flatMap(({ connectionId, credentialId, proofId }) => [connectionId, credentialId, proofId])
    .flatMap((record) => {
      const path = PATHS[record.slice(0, 3) as keyof typeof PATHS] ?? []
      return path.map((_, index) => ({ record, event: eventIdOf(record, index + 1) }))
    })
    .filter(({ event }) => !heard.has(event))
}

export const wrongWallets = (flows: readonly Flow[], reports: ReadonlyMap<number, PhoneReport>): string[] =>
  flows.flatMap(({ number, name, credentialId }) => {
    const report = reports.get(number)
    if (report === undefined) return [`phone ${number} has sent no report`]
    const { received, held, failures } = report
    const problems = failures.map((failure) => `phone ${number}: ${failure}`)
    const threads = Map.groupBy(received, ({ threadId }) => threadId)
    for (const [thread, copies] of threads) {
      const different = new Set(copies.map(({ sha256 }) => sha256)).size
      if (different !== 1) problems.push(`phone ${number} received ${different} credentials for ${thread}`)
    }
    if (!threads.has(credentialId)) problems.push(`phone ${number} never received ${credentialId}`)
    if (held.length !== 1 || held[0]?.name !== name)
      problems.push(`phone ${number} holds ${JSON.stringify(held)}`)
    return problems
  })

/** A repeated call must not have made a second record. */
export const wrongLists = async (flows: readonly Flow[], tenant: Tenant): Promise<string[]> => {
  const wanted = [
    ['/v1/connections?state=completed', '/v1/connections'],
    ['/v1/credentials?state=done', '/v1/credentials'],
    ['/v1/proofs?state=done&verified=true', '/v1/proofs'],
  ].flat()
  const problems: string[] = []
  for (const path of wanted) {
    const { total } = await tenant.get(path)
    if (total !== flows.length) problems.push(`${path} lists ${String(total)} of ${flows.length}`)
  }
  return problems
}

/** Of exchanges that are over no body is left on the disk of an embedded service. */
export const wrongBodies = (dataFolder: string): string[] => {
  const file = join(dataFolder, 'bodies')
  if (!existsSync(file)) return []
  const left = readFileSync(file)
    .subarray(CELL_BYTES)
    .findIndex((byte) => byte !== 0)
  return left < 0 ? [] : [`there is a body left at ${CELL_BYTES + left}`]
}
