import type { OptionValues } from '../../../bench/harness/options.ts'
import { wrongBodies } from '../../flows/audit.ts'
import { publishForFlows } from '../../flows/publish.ts'
import { Tenant } from '../../flows/tenant.ts'
import { startReceiver } from '../../flows/webhook-receiver.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import { untilFound } from '../../harness/waiting.ts'
import { Random } from '../../simulate/random.ts'
import { Kills } from '../flows/kills.ts'
import { count, defineScenario, medianAndMost, seedOption } from '../scenario.ts'
import { type Done, wrongEvents, wrongRecord, wrongSessions, wrongWallet } from './judgement.ts'
import { Organisation } from './organisation.ts'
import { openPhones } from './phones.ts'
import { ATTEMPTS_MAX, type Plan, plansOf, type Vendor } from './plan.ts'
import { startVendors, type Vendors } from './vendors.ts'

const options = {
  checks: count(200, 'of faces, before credentials and before the results of proofs'),
  kills: count(30, 'of the service'),
  phones: count(10, 'each with one check at a time'),
  processes: count(3, 'for the wallets'),
  seed: seedOption,
}
type FaceOptions = OptionValues<typeof options>

const PATIENCE_MS = 10 * 60_000
const SETTLED_LIMIT_MS = 180_000
/** What phones and the receiver notice of one check, about. */
const NOTICED_OF_A_CHECK = 12

export const faces = defineScenario({
  about:
    'Face checks at both vendors, played, with real wallets, while the service is killed; then all sides are asked what happened.',
  options,
  run: (values, say) =>
    onPlace(
      (place) => place.addLedger(),
      (place) => runFaceCampaign(place, values, say),
    ),
})

const runFaceCampaign = async (place: Place, values: FaceOptions, say: (line: string) => void) => {
  const startedMs = performance.now()
  const random = new Random(values.seed)
  const plans = plansOf(random, values)
  const spread = { flows: values.checks, kills: values.kills, noticedOfEach: NOTICED_OF_A_CHECK }
  const kills = new Kills(random, spread)
  const world = await openWorld(place, values, () => kills.noticed())
  const { service, tenant, receiver, organisation } = world
  say('published and connected; the checks begin')
  const killing = kills.run(service, say)
  const { done, problems } = await runAll(world, plans, say)
  await killing
  say(`${done.length} checks over, ${kills.done} kills; waiting for the last webhooks and deletions`)
  problems.push(...(await judged(world, done)))
  const defects = organisation.defects
  if (defects > 0) problems.push(`${defects} calls were answered with 500`)
  await service.stop()
  problems.push(...wrongBodies(place.dataFolder))
  return {
    checks: done.length,
    kills: kills.done,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    startsMs: medianAndMost(service.startsMs),
    attempts: done.reduce((sum, { checked }) => sum + checked.captured.length, 0),
    sessions: done.reduce((sum, { checked }) => sum + checked.told.length, 0),
    sessionsLost: await lostSessions(world.vendors),
    apiCallsRepeated: tenant.repeated,
    events: receiver.events.length,
    deliveries: receiver.taken.deliveries,
    problems: [...problems, ...service.failures.map((failure) => `the service: ${failure}`)],
  }
}

/** An organisation with a definition and a template behind face checks, and a connection to each phone. */
const openWorld = async (place: Place, values: FaceOptions, noticed: () => void) => {
  const vendors = await startVendors()
  place.add('vendors', () => vendors.stop())
  const receiver = await startReceiver(noticed)
  place.add('receiver', async () => receiver.close())
  const phones = openPhones(values, vendors.awsUrl, noticed)
  place.add('phones', () => phones.close())
  const { service, url } = await place.startService({ VOUCHSAFE_AWS_URL: vendors.awsUrl })
  const tenant = new Tenant({ url, dataFolder: place.dataFolder, patienceMs: PATIENCE_MS })
  const { definitionId, network } = await publishForFlows(tenant, receiver)
  const setPolicy = (vendor: Vendor) =>
    tenant.order('biometric set', {
      tenant: tenant.id,
      ...vendors.policies[vendor],
      attemptsMax: ATTEMPTS_MAX[vendor],
      credentialDefinitionIds: [definitionId],
    })
  await setPolicy('aws_rekognition')
  const { id: templateId } = await tenant.order('template create', {
    tenant: tenant.id,
    name: 'Checked',
    description: null,
    groups: [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: ['name'] }],
    predicates: [],
    biometricRequired: true,
  })
  const organisation = new Organisation(tenant, { definitionId, templateId: String(templateId) })
  const connections = await phones.connect(tenant, network)
  return { vendors, receiver, phones, service, tenant, organisation, connections, setPolicy }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** Each phone does its checks one after the other. */
const runAll = async (
  { organisation, phones, connections, setPolicy }: World,
  plans: readonly Plan[],
  say: (line: string) => void,
): Promise<{ done: Done[]; problems: string[] }> => {
  const turn = new VendorTurn(plans, async () => {
    await setPolicy('azure_face')
    say('the vendor is another')
  })
  const done: Done[] = []
  const problems: string[] = []
  const run = async (plan: Plan): Promise<void> => {
    try {
      await turn.begins(plan)
      const id = await organisation.begin(plan, connections[plan.phone] ?? '')
      turn.begun(plan)
      const isLeft = plan.ends === 'cancelled'
      const checked = await phones.check(plan.phone, id, { scenes: plan.scenes, isLeft })
      done.push({ plan, id, checked, record: await organisation.end(plan, id) })
    } catch (error) {
      problems.push(`check ${plan.number}: ${error instanceof Error ? error.message : String(error)}`)
    }
    turn.begun(plan)
    if (done.length % 10 === 0) say(`${done.length} of ${plans.length} checks are over`)
  }
  await Promise.all(
    connections.map(async (_, phone) => {
      for (const plan of plans.filter((each) => each.phone === phone)) await run(plan)
    }),
  )
  return { done, problems }
}

const judged = async ({ receiver, vendors, phones }: World, done: readonly Done[]): Promise<string[]> => {
  const late = await settled(async () => [
    ...done.flatMap((each) => wrongEvents(each, receiver.events)),
    ...(await wrongSessions(done, vendors)),
  ])
  const reports = await phones.reports()
  return [
    ...late,
    ...done.flatMap(wrongRecord),
    ...done.flatMap((each) => wrongWallet(each, reports[each.plan.phone] ?? [])),
    ...receiver.refused.map((reason) => `a webhook was refused: ${reason}`),
  ]
}

/** Those that Azure began for a service that died before it heard so: nobody can delete them. */
const lostSessions = async ({ azure }: Vendors): Promise<number> => (await azure.held()).length

/** What is still missing at the end of the time for it. */
const settled = async (judge: () => Promise<readonly string[]>): Promise<readonly string[]> => {
  let problems: readonly string[] = []
  const isRight = async (): Promise<boolean> => {
    problems = await judge()
    return problems.length === 0
  }
  const waiting = { limitMs: SETTLED_LIMIT_MS, everyMs: 1_000, otherwise: () => new Error('late') }
  await untilFound(isRight, waiting).catch(() => undefined)
  return problems
}

/** The policy has one vendor, and gets the other one as soon as all checks at the first have begun. */
class VendorTurn {
  readonly #left: Set<Plan>
  readonly #turned = Promise.withResolvers<void>()
  readonly #turn: () => Promise<void>

  constructor(plans: readonly Plan[], turn: () => Promise<void>) {
    this.#left = new Set(plans.filter(({ vendor }) => vendor === 'aws_rekognition'))
    this.#turn = turn
  }

  begins({ vendor }: Plan): Promise<void> {
    return vendor === 'azure_face' ? this.#turned.promise : Promise.resolve()
  }

  begun(plan: Plan): void {
    if (!this.#left.delete(plan) || this.#left.size > 0) return
    this.#turn().then(this.#turned.resolve, this.#turned.reject)
  }
}
