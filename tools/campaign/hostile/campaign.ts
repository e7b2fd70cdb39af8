import type { OptionValues } from '../../../bench/harness/options.ts'
import { startProcess } from '../../harness/module-process.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import { actorsIn } from '../actors-in.ts'
import { count, defineScenario } from '../scenario.ts'
import { MemorySamples } from './memory.ts'
import { openOrganisation } from './organisation.ts'

type Strangers = typeof import('./strangers.ts')

/** What the organisation asks for while strangers are there, of what it reaches alone. */
const SHARE = 0.4
/** How much of that it must get. */
const LEAST = 0.8

const options = {
  seconds: count(30, 'for each part: alone at full speed, alone at 40 %, beside strangers'),
  connections: count(48, 'wallets of the organisation'),
  'at-once': count(32, 'credentials under way'),
  lanes: count(8, 'requests of each sort of stranger at the same time'),
  'slow-sockets': count(100, 'bodies that come slowly'),
  'handshakes-max': count(200, 'connections that strangers may have made in the end'),
}
type HostileOptions = OptionValues<typeof options>

export const hostile = defineScenario({
  about:
    'Strangers send whatever they can beside an organisation that issues; then rate, memory and journal are looked at.',
  options,
  run: (values, say) =>
    onPlace(
      (place) => place.addLedger(),
      (place) => runHostileCampaign(place, values, say),
    ),
})

const runHostileCampaign = async (place: Place, values: HostileOptions, say: (line: string) => void) => {
  const { service, url } = await place.startService()
  const organisation = await openOrganisation(place, url, values.connections)
  const { tenant, connections } = organisation
  say(`${connections.length} wallets are connected`)
  const issue = (perS: number) =>
    organisation.issueFor({ perS, atOnce: values['at-once'], durationMs: values.seconds * 1_000 })
  const alone = await issue(Number.POSITIVE_INFINITY)
  const wantedPerS = SHARE * alone.perS
  const calm = await issue(wantedPerS)
  say(`alone: ${alone.perS.toFixed(1)} a second; at 40 % of that p99 ${calm.p99Ms.toFixed(0)} ms`)

  const strangers = await startProcess<Strangers>(new URL('./strangers.ts', import.meta.url))
  place.add('strangers', () => strangers[Symbol.asyncDispose]())
  const poster = await tenant.post('/v1/connections/invitations', { multiUse: true }, 'poster')
  await strangers.call('start', {
    origin: url,
    invitationUrl: String(poster['invitationUrl']),
    connectionId: connections[0] ?? '',
    lanes: values.lanes,
    slowSockets: values['slow-sockets'],
  })
  const memory = new MemorySamples((await service.untilReady()).pid)
  const beside = await issue(wantedPerS)
  const problems = [...service.failures, ...memory.stop()]
  const { sent, reflected } = (await strangers.call('stop')).value
  say(`beside strangers: ${beside.perS.toFixed(1)} a second, p99 ${beside.p99Ms.toFixed(0)} ms`)
  const share = beside.perS / wantedPerS
  if (share < LEAST) problems.push(`the organisation got ${(100 * share).toFixed(0)} % of what it asked for`)
  await service.stop()
  const made = await madeIn(place)
  const byStrangers = (made['con'] ?? 0) - connections.length
  if (byStrangers > values['handshakes-max']) problems.push(`strangers made ${byStrangers} connections`)
  return {
    alone,
    calm,
    beside,
    share,
    sent,
    reflected,
    memoryMb: memory.megabytes,
    made,
    byStrangers,
    problems,
  }
}

/** How many actors of each kind there are. */
const madeIn = async ({ engine }: Place): Promise<Readonly<Record<string, number>>> => {
  const made: Record<string, number> = {}
  for (const actor of await actorsIn(engine)) {
    const kind = actor.slice(0, actor.indexOf('_'))
    made[kind] = (made[kind] ?? 0) + 1
  }
  return made
}
