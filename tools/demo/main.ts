// npm run demo: one credential from an API call to a wallet behind the mediator, proved, and its webhooks checked.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Command } from 'commander'
import { clusterIn } from '../cluster/cluster.ts'
import { EVENTS_OF_A_FLOW, wrongHistories, wrongStates, wrongWallets } from '../flows/audit.ts'
import { type Flow, runFlow } from '../flows/flow.ts'
import { pickupOf, startPhones } from '../flows/phones.ts'
import type { PhoneEvent, PhoneReport } from '../flows/phones-process.ts'
import { type Published, publishForFlows } from '../flows/publish.ts'
import { type Json, Tenant } from '../flows/tenant.ts'
import { startReceiver } from '../flows/webhook-receiver.ts'
import { onPlace, type Place } from '../harness/place.ts'
import { startService } from '../harness/service.ts'
import { untilFound } from '../harness/waiting.ts'
import { wholeNumber } from '../harness/whole-number.ts'
import { Timeline } from './timeline.ts'

type Settings = {
  holders: number
  cluster?: string | true
  url?: string
  key?: string
  definition?: string
  template?: string
}

const HOLDERS_MAX = 50
const WALLETS_PER_PROCESS = 10
const LOOK_EVERY_MS = 50
/** Of the third of the wallets that have no socket. An app asks every ten seconds; here somebody is looking on. */
const POLL_MS = 1_000
/** While nodes come and go a call is repeated, under its Idempotency-Key, as a tenant's backend does. */
const CLUSTER_PATIENCE_MS = 60_000
const WEBHOOKS_LIMIT_MS = 30_000

const holderCount = wholeNumber(`It must be a whole number from 1 to ${HOLDERS_MAX}.`, 1, HOLDERS_MAX)
const {
  holders,
  cluster,
  url: runningUrl,
  key,
  definition,
  template,
} = new Command('demo')
  .description(
    'One credential from an API call to a wallet behind the mediator, proved, and its webhooks checked.',
  )
  .option('--holders <count>', 'wallets side by side', holderCount, 1)
  .option('--cluster [folder]', 'through the proxy of npm run cluster instead of a new service')
  .option('--url <url>', 'of a running service instead of a new one')
  .option('--key <key>', 'API key for it')
  .option('--definition <id>', 'published credential definition there')
  .option('--template <id>', 'proof template there')
  .parse()
  .opts<Settings>()

const timeline = new Timeline()

const tenantAt = (url: string, dataFolder = '', patienceMs = 0): Tenant => {
  const answered = (call: string, { state }: Json, tookMs: number): void => {
    const change = typeof state === 'string' ? ` → ${state}` : ''
    timeline.add('API', `${call}${change} (${Math.round(tookMs)} ms)`)
  }
  return new Tenant({ url, dataFolder, patienceMs, answered })
}

/** Flows side by side, and what is wrong with them afterwards; the first that fails fails the demo. */
const runFlows = async (published: Published): Promise<{ flows: Flow[]; problems: string[] }> => {
  const { tenant } = published
  const happened = ({ phone, kind, state }: PhoneEvent): void =>
    timeline.add(`phone ${phone}`, `${kind}: ${state}`)
  const invite = async (number: number): Promise<string> => {
    const invitation = await tenant.mediatorInvitation(randomUUID())
    timeline.add(`phone ${number}`, `goes to the mediator, ${WAYS[pickupOf(number)]}`)
    return invitation
  }
  const processes = Math.ceil(holders / WALLETS_PER_PROCESS)
  const phones = startPhones(processes, happened, { pollMs: POLL_MS, invite })
  try {
    const flows = await Promise.all(
      Array.from({ length: holders }, (_, index) =>
        runFlow(published, index + 1, phones.phone(index + 1), {
          prefix: `demo-${process.pid}`,
          everyMs: LOOK_EVERY_MS,
        }),
      ),
    )
    const reports = new Map<number, PhoneReport>()
    for (const { number, proofId } of flows) {
      const { verified, disclosed } = await tenant.get(`/v1/proofs/${proofId}`)
      timeline.add('proof', `verified: ${String(verified)}, disclosed: ${JSON.stringify(disclosed)}`)
      reports.set(number, await phones.phone(number).report())
    }
    return { flows, problems: [...(await wrongStates(flows, tenant)), ...wrongWallets(flows, reports)] }
  } finally {
    await phones.close()
  }
}

const WAYS = {
  polling: 'which it asks for messages over HTTP',
  live: 'which pushes them on a WebSocket (pickup 2.0, live)',
  implicit: 'which pushes them on a WebSocket (implicit)',
} as const

type Webhooks = Awaited<ReturnType<typeof startReceiver>>

const withReceiver = async <Result>(work: (receiver: Webhooks) => Promise<Result>): Promise<Result> => {
  const receiver = await startReceiver(({ type, data }) =>
    timeline.add('webhook', `${type} ${data.previousState ?? '·'} → ${data.state}`),
  )
  try {
    return await work(receiver)
  } finally {
    receiver.close()
  }
}

/** With an organisation of its own, whose operator gives the orders. */
const prove = async (tenant: Tenant, receiver: Webhooks): Promise<string[]> => {
  const published = await publishForFlows(tenant, receiver, (line) => timeline.add('ledger', line))
  const { flows, problems } = await runFlows(published)
  const { events, refused } = receiver
  await untilFound(() => events.length >= flows.length * EVENTS_OF_A_FLOW || refused.length > 0, {
    limitMs: WEBHOOKS_LIMIT_MS,
    otherwise: () => new Error(wrongHistories(flows, events).join('\n')),
  })
  const all = [...refused.map((reason) => `a webhook was refused: ${reason}`), ...problems]
  if (all.length > 0) throw new Error(all.join('\n'))
  return [
    `${flows.length} credential(s) issued to real Credo wallets behind the mediator and verified, the disclosed values as issued`,
    `${events.length + receiver.syncRequests.length} webhooks received, each signature accepted by npm stripe, none refused`,
  ]
}

const onNewService = ({ settings, dataFolder }: Place): Promise<string[]> =>
  withReceiver(async (receiver) => {
    timeline.add('service', 'starting on a new folder')
    const service = startService(settings)
    try {
      const { url } = await service.untilListening()
      timeline.add('service', `ready at ${url}`)
      return await prove(tenantAt(url, dataFolder), receiver)
    } finally {
      await service.stop()
    }
  })

const onCluster = (folder: string): Promise<string[]> => {
  const { url, authorityFile, dataFolder } = clusterIn(folder).place()
  timeline.add('cluster', `its proxy is at ${url}`)
  // This process trusts the proxy from here on, and the phones, which are processes of their own, from their start.
  setDefaultCACertificates([...getCACertificates(), readFileSync(authorityFile, 'utf8')])
  process.env['NODE_EXTRA_CA_CERTS'] = authorityFile
  return withReceiver((receiver) => prove(tenantAt(url, dataFolder, CLUSTER_PATIENCE_MS), receiver))
}

const againstRunning = async (url: string): Promise<string[]> => {
  if (!key || !definition || !template) {
    console.error('A running service needs --key, --definition (published) and --template as well.')
    process.exit(2)
  }
  const tenant = tenantAt(url)
  tenant.use('', key)
  const network = await tenant.network()
  const { problems } = await runFlows({ tenant, network, definitionId: definition, templateId: template })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return ['issued and verified against the running service (its webhooks go to its own endpoint)']
}

const run = (): Promise<string[]> => {
  if (cluster !== undefined) return onCluster(resolve(cluster === true ? '.cluster' : cluster))
  return runningUrl === undefined
    ? onPlace((place) => place.addOwnLedger(), onNewService)
    : againstRunning(runningUrl)
}

try {
  const proved = await run()
  console.log(`\nProved in ${timeline.seconds.toFixed(1)} s:`)
  for (const line of proved) console.log(`  ${line}`)
  process.exit(0)
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(`\nThe demo failed after ${timeline.seconds.toFixed(1)} s: ${reason}`)
  process.exit(1)
}
