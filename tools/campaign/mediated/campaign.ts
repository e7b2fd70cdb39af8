import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { OptionValues } from '../../../bench/harness/options.ts'
import { EVENTS_OF_A_FLOW } from '../../flows/audit.ts'
import { publishForFlows } from '../../flows/publish.ts'
import { Tenant } from '../../flows/tenant.ts'
import { startReceiver } from '../../flows/webhook-receiver.ts'
import { untilFound } from '../../harness/waiting.ts'
import { Random } from '../../simulate/random.ts'
import { loggedErrors } from '../cluster/afterwards.ts'
import { Disturbances } from '../cluster/disturbances.ts'
import { Moves } from '../cluster/moves.ts'
import { openWorld, type World } from '../cluster/world.ts'
import { count, defineScenario, medianAndMost, seedOption } from '../scenario.ts'
import { Correspondence } from './correspondence.ts'
import { wrongEnds, wrongSyncRequests } from './judgement.ts'
import { Killing } from './killing.ts'
import { MediatedFlows } from './mediated-flows.ts'

const PATIENCE_MS = 15 * 60_000
/** Longer than a request that meets every limit of a node. */
const ANSWER_LIMIT_MS = 45_000
const DELIVERED_LIMIT_MS = 180_000
const SOCKETS_EVERY_MS = 400

const options = {
  flows: count(500, 'holders that connect, receive a credential and prove it, each behind the mediator'),
  nodes: count(3, 'of the service'),
  cassandra: count(1, 'nodes of Cassandra'),
  kills: count(30, 'of nodes by SIGKILL'),
  'at-once': count(8, 'flows at the same time'),
  phones: count(2, 'processes for wallets'),
  mailboxes: count(6, 'wallets that strangers write to all the time'),
  seed: seedOption,
  'keep-logs': { type: 'string', default: '', about: 'folder for the logs of the nodes' },
} as const
type MediatedOptions = OptionValues<typeof options>

export const mediated = defineScenario({
  about:
    'Whole flows with real wallets behind the mediator whose sockets drop, while nodes are killed and shards move; beside them numbered messages of strangers.',
  options,
  run: async (values, say) => {
    const world = await openWorld({ ...values, 'clock-minutes': 0 }, say)
    try {
      return await runMediatedCampaign(world, values, say)
    } finally {
      if (values['keep-logs'] !== '') world.keepLogs(values['keep-logs'])
      await world.close()
    }
  },
})

/** This process trusts the proxy from here on, and the phones, which are processes of their own, from their start. */
const trust = ({ place }: World): void => {
  setDefaultCACertificates([...getCACertificates(), readFileSync(place.authorityFile, 'utf8')])
  process.env['NODE_EXTRA_CA_CERTS'] = place.authorityFile
}

type Say = (line: string) => void

const runMediatedCampaign = async (world: World, values: MediatedOptions, say: Say) => {
  trust(world)
  const { nodes, place } = world
  const random = new Random(values.seed)
  const receiver = await startReceiver(() => undefined)
  const { url, dataFolder } = place
  const tenant = new Tenant({ url, dataFolder, patienceMs: PATIENCE_MS, answerLimitMs: ANSWER_LIMIT_MS })
  const invite = (): Promise<string> => tenant.mediatorInvitation(randomUUID())
  const published = await publishForFlows(tenant, receiver)
  const flows = new MediatedFlows(published, values, invite, say)
  try {
    const correspondence = await Correspondence.open(values.mailboxes, invite, random)
    say('published; the flows begin')
    const startedMs = performance.now()
    correspondence.begin()
    const over = new AbortController()
    const moves = new Moves(world.folder, nodes, random)
    const disturbances = new Disturbances(world, say)
    const killing = new Killing(disturbances, random, values)
    const beside = [moves.run(), killing.run(flows), dropSockets(over.signal, random, flows, correspondence)]
    await flows.run((number) => killing.before(number))
    over.abort()
    moves.stop()
    await Promise.all(beside)
    say('all flows are over; the last messages come')
    await correspondence.finish(DELIVERED_LIMIT_MS)
    const areDelivered = () => receiver.events.length >= flows.done.length * EVENTS_OF_A_FLOW
    // The audit names those that are missing.
    const late = { limitMs: DELIVERED_LIMIT_MS, otherwise: () => new Error('late') }
    await untilFound(areDelivered, late).catch(() => undefined)
    const ends = await wrongEnds(flows, tenant, receiver)
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    await Promise.all(nodes.all.map((node) => nodes.stop(node)))
    const logs = loggedErrors(nodes.all.map((number) => ({ number, file: nodes.logFile(number) })))
    return {
      seconds,
      flows: flows.done.length,
      kills: killing.done,
      moves: moves.counts,
      socketsGone: flows.socketsGone,
      backMs: medianAndMost(disturbances.backMs.kill ?? []),
      messages: { ...correspondence.counts, repeated: correspondence.repeated },
      apiCallsRepeated: tenant.repeated,
      credentialMessages: flows.credentialMessages,
      events: receiver.events.length,
      syncRequests: receiver.syncRequests.length,
      warnings: logs.warnings,
      problems: [
        ...flows.problems,
        ...correspondence.problems,
        ...disturbances.problems,
        ...nodes.problems,
        ...world.wiretap.problems,
        ...ends,
        ...wrongSyncRequests(receiver.syncRequests),
        ...logs.problems,
      ],
    }
  } finally {
    await flows.close()
    receiver.close()
  }
}

/** Wherever sockets are, some of them go: most in a moment, some stay open and deaf. */
const dropSockets = async (
  signal: AbortSignal,
  random: Random,
  flows: MediatedFlows,
  correspondence: Correspondence,
): Promise<void> => {
  while (!signal.aborted) {
    await pause(random.between(0, 2 * SOCKETS_EVERY_MS))
    await flows.disturbOne(random)
    correspondence.disturb()
  }
}
