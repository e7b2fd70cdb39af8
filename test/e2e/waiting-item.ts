import { ITEMS_LIFE_MS, type OfferJobCommand, offerJob } from '../../src/actors/credential-offer-job/rules.ts'
import { openItems } from '../../src/actors/credential-offer-job/kept-items.ts'
import { waitingItem } from '../../src/actors/credential-offer-job/waiting-item.ts'
import { keepBody } from '../../src/actors/bodies.ts'
import { isRefused } from '../../src/domain/decider.ts'
import { shardDigits } from '../../src/domain/references.ts'
import type { openWithPorts } from '../../tools/flows/seeded.ts'

type Ports = ReturnType<ReturnType<typeof openWithPorts>['ports']>
type Item = {
  readonly connectionId: string
  readonly key: string
  readonly name: string
  /** It comes again and again: what it says is no offer, although it opens. */
  readonly isNoOffer?: boolean
}

/** A job that runs for as long as it is there: its last item can never be read. Answers with its id. */
export const seedRunningJob = async (
  ports: Ports,
  tenant: string,
  items: readonly Item[],
): Promise<string> => {
  const job = offerJob.newRef(shardDigits(tenant), ports.runtime.newId())
  const atMs = ports.runtime.now()
  const ask = (command: OfferJobCommand) =>
    ports.actors.ask(job, command, { commandId: command.type, tenant })
  const total = items.length + 1
  await ask({ type: 'OpenOfferJob', atMs, id: job, tenant, total })
  const waiting = await Promise.all(
    items.map(({ connectionId, key, name, isNoOffer = false }) => {
      const offer = { connectionId, credentialDefinitionId: 'def_00nobodynobody', attributes: { name } }
      const text = JSON.stringify(offer)
      return waitingItem(ports, tenant, [key, connectionId, isNoOffer ? `no offer: ${text}` : text])
    }),
  )
  const altered = ['altered', items.at(-1)?.connectionId, 'fingerprint', 'not sealed']
  const body = await keepBody(ports, job, JSON.stringify([...waiting, altered]), { lifeMs: ITEMS_LIFE_MS })
  const keys = await keepBody(ports, job, JSON.stringify(items.map(({ key }) => key)))
  const indexes = Array.from({ length: total }, (_, index) => index)
  await ask({ type: 'BeginOfferJob', atMs, keys, waves: [{ number: 0, indexes, body }] })
  return job
}

/** The keys of the items that still wait, as the job opens them from its bodies. */
export const waitingIn = async (ports: Ports, job: string): Promise<readonly string[]> => {
  const ref = offerJob.find(job)
  const record = ref === null ? null : await ports.actors.read(ref)
  if (record === null || isRefused(record) || record.status !== 'running') return []
  const { waves, createdAtMs } = record
  const opened = await Promise.all(waves.map((wave) => openItems(ports, job, wave, createdAtMs)))
  return opened.flatMap((items) => (items ?? []).map(([key]) => key))
}
