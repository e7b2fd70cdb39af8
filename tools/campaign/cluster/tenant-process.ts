// One organisation in a process of its own: its backend, its endpoint for webhooks, and the phones of its holders, which
// live in further processes.
import { setTimeout as pause } from 'node:timers/promises'
import {
  EVENTS_OF_A_FLOW,
  stageOf,
  unheardEvents,
  wrongHistories,
  wrongLists,
  wrongStates,
  wrongWallets,
} from '../../flows/audit.ts'
import { type Flow, runFlow } from '../../flows/flow.ts'
import { startPhones } from '../../flows/phones.ts'
import type { PhoneReport } from '../../flows/phones-process.ts'
import { type Published, publishForFlows } from '../../flows/publish.ts'
import { Tenant } from '../../flows/tenant.ts'
import { type Receiver, startReceiver } from '../../flows/webhook-receiver.ts'
import { untilFound } from '../../harness/waiting.ts'
import { openCaller } from '../idempotency/caller.ts'
import { Probes } from './probes.ts'
import { noRequests, noteAttempt } from './requests.ts'
import { type NodeAddress, TakenBack } from './taken-back.ts'

export type TenantOptions = {
  readonly name: string
  readonly url: string
  /** Of a node whose operator makes the organisation. */
  readonly dataFolder: string
  readonly nodes: readonly NodeAddress[]
  readonly phones: number
  readonly 'every-ms': number
  readonly 'at-once': number
  readonly probes: number
}

const PATIENCE_MS = 15 * 60_000
/** What a node that is ahead has put off until later, another does when its own clock says so. */
const STEP_LIMIT_MS = 20 * 60_000
/** Longer than a request that meets every limit of a node, and than a node is frozen. */
const ANSWER_LIMIT_MS = 45_000
const DELIVERED_LIMIT_MS = 120_000
const SECOND_MS = 1_000

const requests = noRequests()
const failures: string[] = []
const done: Flow[] = []
const running = new Map<number, Promise<void>>()
const over = new AbortController()
let begun = 0
let options: TenantOptions
let receiver: Receiver
let phones: ReturnType<typeof startPhones>
let published: Published
let probes: Probes
let takenBack: TakenBack
let beginning: Promise<void> = Promise.resolve()
let probing: Promise<unknown> = Promise.resolve()

/** Says the time by the clock of the node that signed: nodes do not agree on it. */
const signedAtMs = (signature: string): number => Number(/t=(\d+)/.exec(signature)?.[1] ?? 0) * SECOND_MS

const stages = new Map<string, number>()

/** What one caller reads later is never older than what it has read before, whichever nodes answered. */
const noteStage = (record: string, state: string): void => {
  const [before, now] = [stages.get(record) ?? -1, stageOf(record, state)]
  if (now < before) failures.push(`${record} was shown as ${state} after a later state`)
  stages.set(record, Math.max(before, now))
}

export const prepare = async (wanted: TenantOptions): Promise<void> => {
  options = wanted
  const { url, dataFolder } = wanted
  receiver = await startReceiver(() => undefined, signedAtMs)
  phones = startPhones(wanted.phones, () => undefined)
  const failed = (what: string, fromMs: number, status: number | 'no answer'): void =>
    noteAttempt(requests, { what, fromMs, status })
  const calling = { url, dataFolder, patienceMs: PATIENCE_MS, answerLimitMs: ANSWER_LIMIT_MS, failed }
  const tenant = new Tenant({
    ...calling,
    read: (_, { id, state }) => noteStage(String(id), String(state)),
  })
  published = await publishForFlows(tenant, receiver)
  const { key } = await tenant.order('key create', { tenant: tenant.id, label: 'probes' })
  probes = new Probes(openCaller(url, String(key)), requests)
  // The phones of flows are counted from one.
  takenBack = await TakenBack.open(new Tenant(calling), published.network, phones.phone(0), wanted.nodes)
}

/** Resolves when there is a key and a record that can be taken back. */
export const readyToTakeBack = (): Promise<void> => takenBack.ready()

/** Through the node of this number, until it is answered; every node is looked at from then on. */
export const takeBack = (through: number): Promise<void> => takenBack.begin(through)

/** Nothing is cut any more. */
export const endTakingBack = (): Promise<void> => takenBack.end()

export const begin = (): void => {
  beginning = beginFlows()
  const lanes = Array.from({ length: options.probes }, (_, lane) => probes.run(`${options.name}-${lane}`))
  probing = Promise.all(lanes)
}

const beginFlows = async (): Promise<void> => {
  const { signal } = over
  while (!signal.aborted) {
    if (running.size < options['at-once']) {
      const number = ++begun
      running.set(
        number,
        oneFlow(number).finally(() => running.delete(number)),
      )
    }
    await pause(options['every-ms'], undefined, { signal }).catch(() => undefined)
  }
}

const oneFlow = async (number: number): Promise<void> => {
  const phone = phones.phone(number)
  try {
    const prefix = `flow-${options.name}`
    done.push(await runFlow(published, number, phone, { prefix, stepLimitMs: STEP_LIMIT_MS }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const report = await phone.report().catch(() => null)
    failures.push([`flow ${number}: ${reason}`, ...(report?.failures ?? [])].join('; '))
  }
}

export const progress = () => ({
  begun,
  done: done.length,
  failed: failures.length,
  reads: probes.reads,
  events: receiver.events.length,
  problems: requests.problems.length + probes.problems.length,
})

/** Begins nothing more, and resolves when all that was begun is over. */
export const finish = async (): Promise<void> => {
  over.abort()
  probes.stop()
  await Promise.all([beginning, probing])
  await Promise.all(running.values())
  // The audit names those that are missing.
  const areDelivered = () => receiver.events.length >= done.length * EVENTS_OF_A_FLOW
  await untilFound(areDelivered, { limitMs: DELIVERED_LIMIT_MS, otherwise: () => new Error('late') }).catch(
    () => undefined,
  )
}

/** What all sides have, asked while the service runs. */
export const audit = async () => {
  const { tenant } = published
  const { events, refused, taken } = receiver
  const flows = done.toSorted((left, right) => left.number - right.number)
  const reports = new Map<number, PhoneReport>()
  for (const { number } of flows) reports.set(number, await phones.phone(number).report())
  const unheard = unheardEvents(flows, events)
  const isUnheard = (sentence: string): boolean => unheard.some(({ record }) => sentence.includes(record))
  const received = [...reports.values()].flatMap((report) => report.received)
  return {
    tenant: tenant.id,
    flows: flows.length,
    unheard: unheard.map(({ event }) => event),
    made: {
      con: flows.length + 1,
      cre: flows.length + takenBack.offers,
      pro: flows.length,
      inv: begun + probes.made.inv.size + 1,
      wal: probes.made.wal.size,
    },
    requests,
    probes: { ...probes.counts, reads: probes.reads, longestMs: Math.round(probes.longestMs) },
    takenBack: takenBack.counts,
    behind: probes.behind,
    events: events.length,
    deliveries: taken.deliveries,
    credentialMessages: received.length,
    credentialMessagesRepeated: received.length - new Set(received.map(({ threadId }) => threadId)).size,
    problems: [
      ...failures,
      ...requests.problems,
      ...probes.problems,
      ...takenBack.problems,
      ...(await wrongStates(flows, tenant)),
      ...wrongHistories(flows, events).filter((sentence) => !isUnheard(sentence)),
      ...wrongWallets(flows, reports),
      ...(await wrongLists(flows, tenant)),
      ...refused.map((reason) => `a webhook was refused: ${reason}`),
    ],
  }
}

export const close = async (): Promise<void> => {
  await phones.close()
  receiver.close()
}
