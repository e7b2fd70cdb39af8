import { setTimeout as pause } from 'node:timers/promises'
import type { OptionValues } from '../../../bench/harness/options.ts'
import { type Json, Tenant } from '../../flows/tenant.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import type { Program } from '../../harness/program.ts'
import type { Restarting } from '../../harness/restarting.ts'
import { untilFound } from '../../harness/waiting.ts'
import { Random } from '../../simulate/random.ts'
import { actorsIn } from '../actors-in.ts'
import { connectedOrganisation } from '../connected-organisation.ts'
import { count, defineScenario, seedOption } from '../scenario.ts'

const options = {
  items: count(1_000, 'offers in the request'),
  kills: count(5, 'of the service, in the middle of what it does for them'),
  repeats: count(2, 'requests with the same items, each under a key of its own'),
  seed: seedOption,
}
type OffersOptions = OptionValues<typeof options>

const PATIENCE_MS = 10 * 60_000
const FINISHED_LIMIT_MS = 10 * 60_000
/** About as long as the offers of one request take. */
const KILL_WITHIN_MS = 800

export const offers = defineScenario({
  about:
    'Many offers in one request, which comes again and again while the service is killed; then the journal is counted.',
  options,
  run: (values, say) =>
    onPlace(
      (place) => place.addLedger(),
      (place) => runOffersCampaign(place, values, say),
    ),
})

const runOffersCampaign = async (
  place: Place,
  { items: total, kills, repeats, seed }: OffersOptions,
  say: (line: string) => void,
) => {
  const { service, url } = await place.startService({
    VOUCHSAFE_OFFER_ITEMS_PER_MINUTE_MAX: '10000000',
    // A request that died with the process counts as dead after four of these.
    VOUCHSAFE_ASK_TIMEOUT_MS: '2000',
  })
  const tenant = new Tenant({ url, dataFolder: place.dataFolder, patienceMs: PATIENCE_MS })
  const { connectionId, definitionId: credentialDefinitionId } = await connectedOrganisation(tenant)
  const attributes = { name: 'Ada', age: '36', expiresAt: '2000000000' }
  const offer = { connectionId, credentialDefinitionId, attributes }
  const items = Array.from({ length: total }, (_, index) => ({ idempotencyKey: `item ${index}`, ...offer }))
  const problems: string[] = []
  const startedMs = performance.now()
  const killing = killAgainAndAgain(service, kills, new Random(seed))
  const found = await Promise.all(
    Array.from({ length: repeats + 1 }, async (_, number): Promise<readonly string[]> => {
      const { id } = await tenant.post('/v1/credentials/offers', { items }, `request ${number}`)
      const job = await finished(tenant, String(id))
      if (job['offered'] !== total) problems.push(`a job ended with ${JSON.stringify(job)}`)
      return idsOf(tenant, String(id), total)
    }),
  )
  await killing
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  // The request that the killed service had answered, and an offer of one item by itself.
  const again = await tenant.post('/v1/credentials/offers', { items }, 'request 0')
  if (again['total'] !== total) problems.push(`the request was answered ${JSON.stringify(again)} again`)
  const alone = await tenant.post('/v1/credentials/offer', offer, 'item 0')
  const [first = []] = found
  if (alone['id'] !== first[0]) problems.push(`${String(alone['id'])} is another offer than ${first[0]}`)
  for (const ids of found)
    if (ids.join() !== first.join()) problems.push('two requests for the same items found different offers')
  await service.untilReady()
  await service.stop()
  problems.push(...service.failures)
  const made = (await actorsIn(place.engine)).filter((actor) => actor.startsWith('cre_'))
  if (made.length !== total) problems.push(`${made.length} exchanges of ${total} items`)
  if (new Set(first).size !== total) problems.push(`${new Set(first).size} ids of ${total} items`)
  say(`${made.length} exchanges of ${total} items in ${repeats + 1} requests, ${seconds} s, ${kills} kills`)
  return { exchanges: made.length, seconds, kills, problems }
}

const killAgainAndAgain = async (
  service: Restarting<Program>,
  kills: number,
  random: Random,
): Promise<void> => {
  for (let kill = 0; kill < kills; kill++) {
    await service.untilReady()
    await pause(random.between(0, KILL_WITHIN_MS))
    service.kill()
  }
}

const finished = (tenant: Tenant, id: string): Promise<Json> =>
  untilFound(
    async () => {
      const job = await tenant.get(`/v1/credential-offer-jobs/${id}`)
      return job['status'] === 'finished' ? job : null
    },
    { limitMs: FINISHED_LIMIT_MS, everyMs: 100, otherwise: () => new Error(`${id} did not end`) },
  )

/** In the order of the items. */
const idsOf = async (tenant: Tenant, id: string, total: number): Promise<readonly string[]> => {
  const ids: string[] = []
  for (let page = 1; ids.length < total; page++) {
    const path = `/v1/credential-offer-jobs/${id}/items?pageSize=100&page=${page}`
    const items = (await tenant.get(path))['items'] as readonly Json[]
    if (items.length === 0) break
    ids.push(...items.map(({ credentialId }) => String(credentialId)))
  }
  return ids
}
