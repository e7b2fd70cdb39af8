import { setTimeout as pause } from 'node:timers/promises'
import type { OptionValues } from '../../../bench/harness/options.ts'
import { ModuleProcess } from '../../harness/module-process.ts'
import { Random } from '../../simulate/random.ts'
import { count, defineScenario, medianAndMost, seedOption } from '../scenario.ts'
import { auditJournal, loggedErrors } from './afterwards.ts'
import { Disturbances, type TakingBack } from './disturbances.ts'
import { Moves } from './moves.ts'
import { planOf } from './plan.ts'
import { type Behind, type Lost, unexplained, unexplainedBehind } from './requests.ts'
import { openWorld, type World } from './world.ts'

const CALL_LIMIT_MS = 3 * 3_600_000
const MEGABYTE = 1_000_000

const options = {
  nodes: count(3, 'of the service'),
  cassandra: count(3, 'nodes of Cassandra, with as many copies of everything'),
  kills: count(20, 'of nodes by SIGKILL'),
  stops: count(10, 'of nodes by SIGSTOP'),
  'stop-seconds': count(30, 'that a stopped node does nothing'),
  cuts: count(10, 'of the way between two nodes, in one direction or both'),
  'cassandra-kills': count(3, 'of a node of Cassandra'),
  'broker-kills': count(2, 'of the broker'),
  rolling: { type: 'boolean', default: true, about: 'a rolling restart of all nodes at the end' },
  'clock-minutes': count(10, 'between the clocks of the first node and the last'),
  tenants: count(2, 'processes that are an organisation each'),
  phones: count(1, 'processes for the wallets of each'),
  every: count(6, 'seconds between the beginnings of two flows of one organisation'),
  'at-once': count(6, 'flows of one organisation'),
  probes: count(1, 'lanes of equal requests and reads of each organisation'),
  minutes: count(180, 'after which nothing more of the plan begins but the rolling restart'),
  seed: seedOption,
  'keep-logs': { type: 'string', default: '', about: 'folder for the logs of the nodes' },
} as const
type ClusterOptions = OptionValues<typeof options>

export const cluster = defineScenario({
  about:
    'Whole flows of organisations through the proxy of a cluster whose nodes, stores and links are killed, frozen and cut, while shards move.',
  options,
  run: async (values, say) => {
    const world = await openWorld(values, say)
    try {
      return await runClusterCampaign(world, values, say)
    } finally {
      if (values['keep-logs'] !== '') world.keepLogs(values['keep-logs'])
      await world.close()
    }
  },
})

type Say = (line: string) => void

const runClusterCampaign = async (world: World, values: ClusterOptions, say: Say) => {
  const { nodes } = world
  const random = new Random(values.seed)
  const plan = planOf(random, { ...values, servers: values.cassandra })
  const tenants = await openTenants(world, values)
  try {
    say(`${tenants.length} organisations have published; the flows begin`)
    const startedMs = performance.now()
    await Promise.all(tenants.map((tenant) => tenant.call('begin')))
    const moves = new Moves(world.folder, nodes, random)
    const moving = moves.run()
    const disturbances = new Disturbances(world, say, takingBackBy(tenants))
    const watch = watched(tenants)
    await disturbances.run(plan, startedMs + values.minutes * 60_000, watch.show)
    watch.stop()
    moves.stop()
    await moving
    say('nothing is disturbed any more; the last flows end')
    await Promise.all(tenants.map((tenant) => tenant.call('finish')))
    say('all flows are over; all sides are asked what they have')
    const audits = await Promise.all(tenants.map(async (tenant) => (await tenant.call('audit')).value))
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    await Promise.all(nodes.all.map((node) => nodes.stop(node)))
    say('the nodes have stopped; the journal is read')
    const journal = await auditJournal(world.folder, audits)
    const logs = loggedErrors(nodes.all.map((number) => ({ number, file: nodes.logFile(number) })))
    const losing = disturbances.happened.filter(({ what }) => what === 'kill' || what === 'stop')
    const behind = audits.flatMap((each) => each.behind)
    const lost = audits.flatMap(({ requests }) => requests.lost)
    return {
      seconds,
      ...sums(audits),
      lostRequests: { all: lost.length, unexplained: unexplained(lost, losing).length },
      listsBehind: {
        all: behind.length,
        unexplained: unexplainedBehind(behind, disturbances.happened).length,
        longestMs: Math.max(0, ...behind.map(({ fromMs, toMs }) => toMs - fromMs)),
      },
      moves: { ...moves.counts, refusals: moves.refusals },
      takenBack: audits.map(({ takenBack }) => takenBack),
      megabytesBetweenNodes: Math.round(world.wiretap.bytes / MEGABYTE),
      backMs: Object.fromEntries(
        Object.entries(disturbances.backMs).map(([is, times]) => [
          is,
          { count: times.length, ...medianAndMost(times) },
        ]),
      ),
      startsMs: medianAndMost(nodes.startsMs),
      scheduled: journal.scheduled,
      journal: journal.journal,
      warnings: logs.warnings,
      problems: [
        ...disturbances.problems,
        ...nodes.problems,
        ...world.wiretap.problems,
        ...audits.flatMap(({ problems }) => problems),
        ...journal.problems,
        ...logs.problems,
        ...unexplained(lost, losing).map(sentenceOf),
        ...unexplainedBehind(behind, disturbances.happened).map(behindOf),
      ],
    }
  } finally {
    await Promise.all(tenants.map((tenant) => tenant[Symbol.asyncDispose]()))
  }
}

type TenantProcess = ModuleProcess<typeof import('./tenant-process.ts')>

/** All organisations do, each its own. */
const takingBackBy = (tenants: readonly TenantProcess[]): TakingBack => {
  const all = async (give: (tenant: TenantProcess) => Promise<unknown>): Promise<void> =>
    void (await Promise.all(tenants.map(give)))
  return {
    ready: () => all((tenant) => tenant.call('readyToTakeBack')),
    begin: (through) => all((tenant) => tenant.call('takeBack', through)),
    end: () => all((tenant) => tenant.call('endTakingBack')),
  }
}

/** Each trusts the proxy's certificate from its start on, and so do the phones that it starts. */
const openTenants = async (
  { place, addresses }: World,
  values: ClusterOptions,
): Promise<readonly TenantProcess[]> => {
  const env = { NODE_EXTRA_CA_CERTS: place.authorityFile }
  const file = new URL('./tenant-process.ts', import.meta.url)
  const tenants = Array.from(
    { length: values.tenants },
    (): TenantProcess => new ModuleProcess(file, { env, silent: true, callTimeoutMs: CALL_LIMIT_MS }),
  )
  const { phones, probes, 'at-once': atOnce, every } = values
  await Promise.all(
    tenants.map((tenant, index) =>
      tenant.call('prepare', {
        name: `${index + 1}`,
        url: place.url,
        dataFolder: place.dataFolder,
        nodes: addresses,
        phones,
        probes,
        'at-once': atOnce,
        'every-ms': every * 1_000,
      }),
    ),
  )
  return tenants
}

const WATCH_MS = 2_000

/** How far the organisations are, for a person who looks on. */
const watched = (tenants: readonly TenantProcess[]) => {
  const over = new AbortController()
  let shown = 'nothing yet'
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const all = await Promise.all(tenants.map(async (tenant) => (await tenant.call('progress')).value))
      const sum = (pick: (each: (typeof all)[number]) => number): number =>
        all.reduce((total, each) => total + pick(each), 0)
      shown = `${sum(({ done }) => done)} of ${sum(({ begun }) => begun)} flows over, ${sum(({ failed }) => failed)} failed, ${sum(({ events }) => events)} webhooks, ${sum(({ reads }) => reads)} reads, ${sum(({ problems }) => problems)} wrong`
      await pause(WATCH_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  void look().catch(() => undefined)
  return { show: () => shown, stop: () => over.abort() }
}

type Audits = readonly Awaited<ReturnType<typeof import('./tenant-process.ts').audit>>[]

const sums = (audits: Audits) => {
  const sum = (pick: (each: Audits[number]) => number): number =>
    audits.reduce((total, each) => total + pick(each), 0)
  const byStatus: Record<string, number> = {}
  for (const { requests } of audits)
    for (const [status, attempts] of Object.entries(requests.byStatus))
      byStatus[status] = (byStatus[status] ?? 0) + attempts
  return {
    flows: sum(({ flows }) => flows),
    events: sum(({ events }) => events),
    deliveries: sum(({ deliveries }) => deliveries),
    credentialMessages: sum((each) => each.credentialMessages),
    credentialMessagesRepeated: sum((each) => each.credentialMessagesRepeated),
    probes: audits.map(({ probes }) => probes),
    requestsByStatus: byStatus,
    slowestMs: Math.max(0, ...audits.map(({ requests }) => requests.slowestMs)),
  }
}

const behindOf = ({ what, fromMs, toMs }: Behind): string =>
  `${what} was behind for ${toMs - fromMs} ms at ${new Date(fromMs).toISOString()}, and nothing was disturbed`

const sentenceOf = ({ what, status, fromMs, toMs }: Lost): string =>
  `${what} met ${status} after ${toMs - fromMs} ms at ${new Date(fromMs).toISOString()}, and no node was killed or frozen`
