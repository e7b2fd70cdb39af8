import { keepItems } from '../../src/actors/credential-offer-job/kept-items.ts'
import { type OfferJobCommand, offerJob } from '../../src/actors/credential-offer-job/rules.ts'
import { shardDigits } from '../../src/domain/references.ts'
import type { openWithPorts } from '../../tools/flows/seeded.ts'

type Ports = ReturnType<ReturnType<typeof openWithPorts>['ports']>
type Item = { readonly connectionId: string; readonly key: string; readonly name: string }

/** A job that runs for as long as it is there: its one wave is never read as it was written. Answers with its id. */
export const seedRunningJob = async (
  ports: Ports,
  tenant: string,
  { connectionId, key, name }: Item,
): Promise<string> => {
  const job = offerJob.newRef(shardDigits(tenant), ports.runtime.newId())
  const atMs = ports.runtime.now()
  const ask = (command: OfferJobCommand) =>
    ports.actors.ask(job, command, { commandId: command.type, tenant })
  await ask({ type: 'OpenOfferJob', atMs, id: job, tenant, total: 1 })
  const offer = { connectionId, credentialDefinitionId: 'def_00nobodynobody', attributes: { name } }
  const items = [[key, connectionId, JSON.stringify(offer)]] as const
  const offers = { total: 1, keys: JSON.stringify([key]), waves: [{ indexes: [0], items }] }
  const { keys, waves } = await keepItems(ports, { job, tenant }, offers)
  const others = waves.map((wave) => ({ ...wave, body: { ...wave.body, hash: 'of another' } }))
  await ask({ type: 'BeginOfferJob', atMs, keys, waves: others })
  return job
}
