import { shardDigits } from '../../../src/domain/references.ts'
import { runPlay, type ScheduleResult } from '../schedule.ts'
import { Violation, type World } from '../world.ts'
import type { WatchVariant } from './watch-variants.ts'
import { CALM, NODES, type Session, WatchWorld } from './watch-world.ts'

const STEPS = 120
const STEP_MS = 500
/** What a watch says again, and what its owner asks about itself, has come by then. */
const SETTLED_MS = 100_000
const SHARDS = 4

const WILD = { latencyMs: 40, lost: 0.08, doubled: 0.1, late: 0.1, lateMs: 3_000 }

/** One adversarial run of mailboxes that are watched on several nodes, decided by its seed alone. */
export const runWatchSchedule = (
  seed: number,
  variant: WatchVariant,
  traced: boolean,
): Promise<ScheduleResult> => runPlay(seed, traced, (world) => play(world, variant))

const play = async (world: World, variant: WatchVariant): Promise<number> => {
  const watches = new WatchWorld(world, world.random.chance(0.25) ? CALM : WILD, {}, variant)
  for (let step = 0; step < STEPS; step++) {
    await watches.run(step * STEP_MS)
    something(watches)
  }
  world.healed = true
  world.note(() => 'everything is mended')
  await watches.run(SETTLED_MS)
  const behind = watches.sessions
    .filter((each) => isBehind(watches, each))
    .map(({ node, mailbox }) => `a session at ${node} has not read all of ${mailbox}`)
  if (behind.length > 0) throw new Violation(`after everything was mended: ${behind.join('; ')}`)
  await isAllSaid(watches)
  return watches.mailboxes.reduce((sum, mailbox) => sum + watches.messagesOf(mailbox), 0)
}

const something = (watches: WatchWorld): void => {
  const { random } = watches
  const dice = random.next()
  const mailbox = random.pick(watches.mailboxes)
  if (dice < 0.45) post(watches, mailbox)
  else if (dice < 0.7) watches.open(random.pick(NODES), mailbox)
  else if (dice < 0.8) {
    const living = watches.sessions.filter(({ isOver }) => !isOver)
    if (living.length > 0) watches.close(random.pick(living))
  } else if (dice < 0.9) watches.move(random.below(SHARDS), random.pick(NODES))
  else if (dice < 0.93) thereAndBack(watches, mailbox)
  else if (dice < 0.96) watches.crash(random.pick(NODES))
  else watches.network.cut(random.pick(NODES), random.pick(NODES), random.next() * 8_000)
}

/** `taken` is true only where a session has read as far. */
const post = (watches: WatchWorld, mailbox: string): void => {
  const { world, random, sessions } = watches
  watches.post(random.pick(NODES), mailbox, (isTaken, place) => {
    const hasSeen = sessions.some((each) => each.mailbox === mailbox && each.seen >= place)
    if (isTaken && !hasSeen)
      world.fail(new Violation(`message ${place} of ${mailbox} was said to be taken, and nobody has read it`))
  })
}

/** For a moment the mailbox is elsewhere, and something comes for it there that nobody watches for. */
const thereAndBack = (watches: WatchWorld, mailbox: string): void => {
  const { world, random } = watches
  const home = watches.ownerOf(mailbox)
  if (home === null) return
  const shard = shardDigits(mailbox)
  const away = random.pick(NODES.filter((name) => name !== home))
  watches.move(shard, away, 1)
  const backMs = random.between(50, 1_500)
  world.at(backMs * 0.8, null, () => post(watches, mailbox))
  world.at(backMs, null, () => watches.move(shard, home, 1))
}

const isBehind = (watches: WatchWorld, { isOver, seen, mailbox }: Session): boolean =>
  !isOver && seen < watches.messagesOf(mailbox)

/** A node may be about to say again what it watches. */
const isAllSaid = async (watches: WatchWorld): Promise<void> => {
  const due = (): number => NODES.reduce((sum, name) => sum + watches.watchesAt(name).size().due, 0)
  for (let second = 1; due() > 0 && second < 5; second++) await watches.run(SETTLED_MS + second * 1_000)
  if (due() > 0) throw new Violation('after everything was mended: something is still to be said of watches')
}
