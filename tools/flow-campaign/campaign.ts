import { setTimeout as pause } from 'node:timers/promises'
import { type Receiver, startReceiver } from '../demo/receiver.ts'
import { freePort } from '../infra/ports.ts'
import { Random } from '../simulate/random.ts'
import { auditFlows, EVENTS_OF_A_FLOW } from './audit.ts'
import { type Flow, type FlowPlace, runFlow } from './flow.ts'
import { Kills } from './kills.ts'
import type { PhoneReport } from './phones-messages.ts'
import { startPhones } from './phones.ts'
import type { ServicePlace } from './places.ts'
import { publishForFlows } from './publish.ts'
import { ServiceProcess } from './service-process.ts'
import { Tenant } from './tenant.ts'

export type FlowOptions = {
  readonly flows: number
  readonly kills: number
  readonly atOnce: number
  readonly phoneProcesses: number
  readonly seed: number
}

export type FlowReport = {
  readonly flows: number
  readonly kills: number
  readonly seconds: number
  /** From the start of a process until it listens. */
  readonly startsMs: { readonly median: number; readonly most: number }
  readonly apiCallsRepeated: Readonly<Record<string, number>>
  readonly events: number
  readonly deliveries: number
  readonly credentialMessages: number
  readonly credentialMessagesRepeated: number
  readonly problems: readonly string[]
}

const DELIVERED_LIMIT_MS = 180_000

/** Whole flows with real wallets while the service is killed, and what everybody outside knows afterwards. */
export const runFlowCampaign = async (
  place: ServicePlace,
  options: FlowOptions,
  say: (line: string) => void,
): Promise<FlowReport> => {
  const startedMs = performance.now()
  const port = await freePort()
  const service = new ServiceProcess({ ...place.settings, ...settingsOf(port) })
  const random = new Random(options.seed)
  const kills = new Kills(service, random, options, say)
  const receiver = await startReceiver(() => kills.happened())
  const phones = startPhones(options.phoneProcesses, () => kills.happened())
  try {
    service.start()
    await service.untilListening()
    const tenant = new Tenant(`http://127.0.0.1:${port}`, place.dataFolder)
    const flowPlace = await publishForFlows(tenant, receiver)
    say('published; the flows begin')
    const killing = kills.run()
    const { flows, problems } = await runAll(flowPlace, options, phones.phone, say)
    await killing
    say(`${flows.length} flows over, ${kills.done} kills; waiting for the last webhooks`)
    await untilDelivered(receiver, flows.length * EVENTS_OF_A_FLOW)
    const reports = new Map<number, PhoneReport>()
    for (const { number } of flows) reports.set(number, await phones.phone(number).report())
    problems.push(...(await auditFlows({ flows, events: receiver.events, phones: reports, tenant })))
    problems.push(...receiver.refused.map((reason) => `a webhook was refused: ${reason}`))
    const defects = tenant.repeated['500'] ?? 0
    if (defects > 0) problems.push(`${defects} calls were answered with 500`)
    await service.stop()
    const received = [...reports.values()].flatMap((report) => report.received)
    return {
      flows: flows.length,
      kills: kills.done,
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      startsMs: summary(service.starts),
      apiCallsRepeated: tenant.repeated,
      events: receiver.events.length,
      deliveries: receiver.taken.deliveries,
      credentialMessages: received.length,
      credentialMessagesRepeated: received.length - new Set(received.map(({ threadId }) => threadId)).size,
      problems: [...problems, ...service.defects],
    }
  } finally {
    await service.stop()
    phones.close()
    receiver.close()
  }
}

const settingsOf = (port: number): Readonly<Record<string, string>> => ({
  PORT: String(port),
  VOUCHSAFE_PRIVATE_PORT: '0',
  VOUCHSAFE_LOG_LEVEL: 'silent',
  VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
  VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
})

type Phones = ReturnType<typeof startPhones>

const runAll = async (
  place: FlowPlace,
  { flows: count, atOnce }: FlowOptions,
  phone: Phones['phone'],
  say: (line: string) => void,
): Promise<{ flows: Flow[]; problems: string[] }> => {
  const flows: Flow[] = []
  const problems: string[] = []
  let next = 1
  const oneAfterTheOther = async (): Promise<void> => {
    while (next <= count) {
      const number = next++
      try {
        flows.push(await runFlow(place, number, phone(number)))
      } catch (error) {
        const { failures } = await phone(number).report()
        const reason = error instanceof Error ? error.message : String(error)
        problems.push([`flow ${number}: ${reason}`, ...failures].join('; '))
      }
      if (flows.length % 10 === 0) say(`${flows.length} of ${count} flows are over`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, oneAfterTheOther))
  return { flows: flows.toSorted((left, right) => left.number - right.number), problems }
}

/** What is missing afterwards, the audit names. */
const untilDelivered = async ({ events }: Receiver, wanted: number): Promise<void> => {
  const startedMs = performance.now()
  while (events.length < wanted && performance.now() - startedMs < DELIVERED_LIMIT_MS) await pause(100)
}

const summary = (values: readonly number[]): { median: number; most: number } => {
  const sorted = [...values].sort((left, right) => left - right)
  return {
    median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    most: Math.round(sorted.at(-1) ?? 0),
  }
}
