import { setTimeout as pause } from 'node:timers/promises'
import type { OptionValues } from '../../../bench/harness/options.ts'
import { Tenant } from '../../flows/tenant.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import type { Program } from '../../harness/program.ts'
import type { Restarting } from '../../harness/restarting.ts'
import { Random } from '../../simulate/random.ts'
import { actorsIn } from '../actors-in.ts'
import { connectedOrganisation } from '../connected-organisation.ts'
import { count, defineScenario, inLanes, seedOption } from '../scenario.ts'
import { openCaller, type Answer, type Caller } from './caller.ts'
import { commandsOf, type Command } from './commands.ts'
import { judge, noCounts, type Counts } from './verdict.ts'

const options = {
  keys: count(1_000, 'for each command'),
  callers: count(100, 'that send the same request at the same time'),
  'keys-at-once': count(4, 'whose requests are sent at the same time'),
  kills: count(0, 'of the service, for each command'),
  seed: seedOption,
}
type IdempotencyOptions = OptionValues<typeof options>

type CommandReport = Counts & { readonly effects: number; readonly seconds: number; readonly kills: number }

const RETRY_MS = 50
const INSIST_LIMIT_MS = 120_000
const PATIENCE_MS = 10 * 60_000
/** About as long as the answers to one key take. */
const KILL_WITHIN_MS = 20

export const idempotency = defineScenario({
  about:
    'Many equal requests at once under each of many keys, of every command that makes something; then the journal is counted.',
  options,
  run: (values, say) =>
    onPlace(
      (place) => place.addLedger(),
      (place) => runIdempotencyCampaign(place, values, say),
    ),
})

const runIdempotencyCampaign = async (
  place: Place,
  values: IdempotencyOptions,
  say: (line: string) => void,
) => {
  // A run that died with the process counts as dead after four of these.
  const hasty = values.kills > 0 ? { VOUCHSAFE_ASK_TIMEOUT_MS: '500' } : {}
  const { service, url } = await place.startService(hasty)
  const tenant = new Tenant({ url, dataFolder: place.dataFolder, patienceMs: PATIENCE_MS })
  const { invitationId, ...theirs } = await connectedOrganisation(tenant)
  const commands = commandsOf(theirs)
  const { key } = await tenant.order('key create', { tenant: tenant.id, label: 'idempotency' })
  const caller = openCaller(url, String(key))
  place.add('caller', () => caller.close())
  const done = []
  for (const command of commands) done.push(await runCommand(service, caller, command, values, say))
  await service.untilReady()
  await service.stop()
  const actors = await actorsIn(place.engine)
  const problems = [...service.failures]
  const reports: Record<string, CommandReport> = {}
  for (const { command, ids, report, found } of done) {
    const { name, kind } = command
    const made = actors.filter((actor) => actor.startsWith(`${kind}_`) && actor !== invitationId)
    const unnamed = made.filter((actor) => !ids.has(actor))
    reports[name] = { ...report, effects: made.length }
    problems.push(...found)
    if (made.length !== values.keys) problems.push(`${name}: ${made.length} effects of ${values.keys} keys`)
    if (unnamed.length > 0) problems.push(`${name}: ${unnamed.length} that no answer named`)
  }
  return { commands: reports, problems }
}

const runCommand = async (
  service: Restarting<Program>,
  caller: Caller,
  command: Command,
  { keys, callers, kills, seed, 'keys-at-once': keysAtOnce }: IdempotencyOptions,
  say: (line: string) => void,
) => {
  const startedMs = performance.now()
  const counts = noCounts()
  const ids = new Set<string>()
  const found: string[] = []
  const random = new Random(seed + command.name.length)
  const share = keys / Math.max(1, kills)
  const killedAmong = new Set(
    Array.from({ length: kills }, (_, index) => 1 + Math.floor((index + random.next()) * share)),
  )
  const killing: Promise<void>[] = []
  await inLanes(keysAtOnce, keys, async (number) => {
    const key = command.keyOf(number)
    await service.untilReady()
    const burst = Array.from({ length: callers }, () => caller.post(command, key))
    if (killedAmong.has(number)) killing.push(killAfter(service, random.between(0, KILL_WITHIN_MS)))
    const answers: Answer[] = await Promise.all(burst)
    // Once more afterwards: what was made is there, and is answered again.
    answers.push(await insist(caller, command, key))
    const { id, problems } = judge(command, answers, kills > 0, counts)
    found.push(...problems.map((problem) => `${command.name}, ${key}: ${problem}`))
    if (id !== null) ids.add(id)
  })
  await Promise.all(killing)
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  if (ids.size !== keys) found.push(`${command.name}: ${ids.size} ids of ${keys} keys`)
  say(`${command.name}: ${counts.posts} requests in ${seconds} s, ${killing.length} kills`)
  return { command, ids, found, report: { ...counts, effects: 0, seconds, kills: killing.length } }
}

/** Repeats the request under the same key until it is answered for good, as the API asks its callers to. */
const insist = async (caller: Caller, command: Command, key: string): Promise<Answer> => {
  const startedMs = performance.now()
  for (;;) {
    const answer = await caller.post(command, key)
    const passes = answer === null || answer.status === 409 || answer.status === 503
    if (!passes || performance.now() - startedMs > INSIST_LIMIT_MS) return answer
    await pause(RETRY_MS)
  }
}

const killAfter = async (service: Restarting<Program>, afterMs: number): Promise<void> => {
  await pause(afterMs)
  await service.untilReady()
  service.kill()
}
