import { InvalidArgumentError, type Command } from 'commander'
import { loadConfig, type Environment } from '../config/config.ts'
import { kinds } from '../actors/index.ts'
import { SHARD_COUNT, kindOf, shardOf } from '../domain/references.ts'
import { neverGone } from '../host/definition.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { openForInspection } from '../persistence/open-engine.ts'
import { checkShard, type ShardFindings } from '../persistence/journal-check.ts'
import { readActor } from '../persistence/journal-walk.ts'
import type { JournalReads } from '../persistence/store-port.ts'
import { action, type Action } from './action.ts'
import { describeActor, renderActor } from './journal-text.ts'
import type { Output } from './output.ts'
import { registerParked } from './parked.ts'
import { orderTo } from './run-order.ts'

export const registerJournal = (program: Command, environment: Environment): void => {
  const inspection = <Input>(look: Look<Input>): Action =>
    action<Input>(async (input, output) => {
      const reads = await openForInspection(engineSettings(loadConfig(environment)))
      try {
        return await look(reads, input, output)
      } finally {
        await reads[Symbol.asyncDispose]()
      }
    })
  const journal = program.command('journal').description('look into the journal; a running service may go on')
  journal
    .command('show')
    .description('the events of one actor; personal fields are masked')
    .argument('<actor>', 'its id, such as con_7f…', actorArgument)
    .action(inspection(show))
  journal
    .command('check')
    .description('compare the copies with the log; look for gaps and impossible checkpoints')
    .option('--shard <number>', 'this shard alone', shardArgument)
    .action(inspection(check))
  journal
    .command('size')
    .description('what uses the space, by kind; reads everything, so it takes long on a large journal')
    .action(inspection(size))
  registerParked(journal, orderTo(environment))
}

/** False when something is not as it should be. */
type Look<Input> = (reads: JournalReads, input: Input, output: Output) => Promise<boolean>

const show: Look<{ readonly actor: string }> = async (reads, { actor }, output) => {
  const described = describeActor(actor, await readActor(reads, actor))
  if (described.events.length === 0 && described.snapshotSeq === null)
    throw new Error(`The journal has no actor ${actor}.`)
  output.result(described, renderActor(described))
  return true
}

const check: Look<{ readonly shard?: number }> = async (reads, { shard }, output) => {
  const shards = shard === undefined ? Array.from({ length: SHARD_COUNT }, (_, index) => index) : [shard]
  const findings: ShardFindings[] = []
  for (const each of shards) {
    output.bar(`${findings.length} of ${shards.length} shards checked …`, findings.length / shards.length)
    findings.push(await checkShard(reads, each, mayBeGone))
  }
  const sum = (pick: (each: ShardFindings) => number): number =>
    findings.reduce((total, each) => total + pick(each), 0)
  const totals = {
    shards: shards.length,
    slots: sum((each) => each.slots),
    actors: sum((each) => each.actors),
    events: sum((each) => each.events),
    uncopiedSlots: sum((each) => each.uncopiedSlots),
  }
  const problems = findings.flatMap((each) => each.problems)
  const ok = problems.length === 0
  const summary = `${totals.events} events of ${totals.actors} actors, ${totals.slots} slots of ${totals.shards} shards (${totals.uncopiedSlots} not copied yet)`
  output.result(
    { ok, ...totals, problems },
    [...problems, `${ok ? 'Sound' : 'Damaged'}: ${summary}.`].join('\n'),
  )
  return ok
}

const size: Look<object> = async (reads, _, output) => {
  const sizes = [...(await output.during('Everything is being read,', reads.sizes()))]
  const lines = sizes.map(({ what, kind, rows, bytes }) => {
    const name = kind === null ? what : `${what} of ${kind}`
    return `${name.padEnd(28)} ${String(rows).padStart(12)} ${String(bytes).padStart(16)}`
  })
  const head = `${''.padEnd(28)} ${'rows'.padStart(12)} ${'bytes'.padStart(16)}`
  output.result({ sizes }, [head, ...lines].join('\n'))
  return true
}

/** Kinds of records that go whole, so that the log may name one that is no more. */
const mayBeGone = (actor: string): boolean =>
  kinds.some(({ prefix, atRest }) => prefix === kindOf(actor) && atRest.goneAtMs !== neverGone)

const actorArgument = (text: string): string => {
  if (shardOf(text) === null) throw new InvalidArgumentError('That is not the id of an actor.')
  return text
}

const shardArgument = (text: string): number => {
  const shard = Number(text)
  if (Number.isInteger(shard) && shard >= 0 && shard < SHARD_COUNT && text.trim() !== '') return shard
  throw new InvalidArgumentError(`A shard is a number from 0 to ${SHARD_COUNT - 1}.`)
}
