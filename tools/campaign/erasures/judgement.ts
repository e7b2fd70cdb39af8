import type { Receiver } from '../../flows/webhook-receiver.ts'
import type { Place } from '../../harness/place.ts'
import { untilFound } from '../../harness/waiting.ts'
import type { openDisk } from './disk.ts'
import { type Holding, wrongHoldings } from './holders.ts'
import { wrongErasures, wrongJournal } from './journal.ts'
import { erasedIn, shownOf, type Snapshot, wrongErased, wrongEvents, wrongKept, wrongLog } from './verdict.ts'
import type { World } from './world.ts'

const SETTLED_LIMIT_MS = 240_000

type Judged = { readonly erased: ReadonlySet<string>; readonly problems: readonly string[] }

/** What the API, the webhooks and the wallets have in the end, when everything has come to its end. */
export const judge = async (
  world: World,
  holdings: readonly Holding[],
  before: Snapshot,
  receiver: Pick<Receiver, 'events' | 'refused'>,
): Promise<Judged> => {
  const { published, exchanges, connections, kept, sweptHears } = world
  const { tenant } = published
  const subjects = [...exchanges, ...connections, ...connections.flatMap((each) => each.exchanges)]
  const byHolders = holdings.flatMap(({ flow }) => [flow.credentialId, flow.proofId])
  const erased = new Set([...subjects.map(({ id }) => id), ...byHolders])
  const unsettled = await settle(world, erased.size, receiver)
  const shown = await shownOf(tenant, [...subjects, ...kept])
  const defects = tenant.repeated['500'] ?? 0
  const problems = [
    ...unsettled,
    ...subjects.flatMap((each) => wrongErased(each, shown.get(each.id))),
    ...kept.flatMap((each) => wrongKept(each, before.get(each.id), shown.get(each.id))),
    ...(await wrongHoldings(published, holdings)),
    ...(await wrongLog(tenant, erased)),
    ...wrongEvents(receiver.events, erased),
    ...(await wrongSweeps(world, before)),
    ...erasedIn(sweptHears.events).map((id) => `there was a record.erased of ${id}, which was swept`),
    ...[...receiver.refused, ...sweptHears.refused].map((reason) => `a webhook was refused: ${reason}`),
    ...(defects > 0 ? [`${defects} calls were answered with 500`] : []),
  ]
  return { erased, problems }
}

/** What did not come to its end: the erasures that connections owe, webhooks, sweeps. */
const settle = async (
  { published: { tenant }, swept, sweptLater }: World,
  erasures: number,
  { events }: Pick<Receiver, 'events'>,
): Promise<readonly string[]> => {
  const problems: string[] = []
  const until = async (what: string, look: () => Promise<boolean> | boolean): Promise<void> => {
    const otherwise = () => new Error('late')
    await untilFound(look, { limitMs: SETTLED_LIMIT_MS, everyMs: 500, otherwise }).catch(() =>
      problems.push(`${what} did not come to an end`),
    )
  }
  const listed = async (): Promise<boolean> => Number((await tenant.get('/v1/erasures'))['total']) >= erasures
  await until('the erasures', listed)
  await until('the webhooks', () => new Set(erasedIn(events)).size >= erasures)
  for (const { tenant: of, old } of [swept, sweptLater])
    await until('the sweeps', async () =>
      [...(await shownOf(of, old)).values()].every(({ erasedAt }) => erasedAt !== null),
    )
  return problems
}

/** Of organisations whose period is a day: what was old is gone and stands in no log, the rest is as it was. */
const wrongSweeps = async ({ swept, sweptLater }: World, before: Snapshot): Promise<readonly string[]> => {
  const problems: string[] = []
  for (const { tenant, old, young } of [swept, sweptLater]) {
    const now = await shownOf(tenant, [...old, ...young])
    problems.push(
      ...old.flatMap((each) => wrongErased(each, now.get(each.id))),
      ...young.flatMap((each) => wrongKept(each, before.get(each.id), now.get(each.id))),
      ...(await wrongLog(tenant, new Set())),
    )
  }
  return problems
}

/** What the files have, when the service has stopped. */
export const judgeStopped = async (
  { engine }: Place,
  { kept, swept, sweptLater }: World,
  erased: ReadonlySet<string>,
  disk: Pick<Awaited<ReturnType<typeof openDisk>>, 'wrongInTheEnd'>,
): Promise<readonly string[]> => [
  ...(await wrongJournal(engine)),
  ...(await wrongErasures(engine, [...erased], 1)),
  ...(await wrongErasures(
    engine,
    kept.map(({ id }) => id),
    0,
  )),
  ...(await disk.wrongInTheEnd([...swept.old, ...sweptLater.old])),
]
