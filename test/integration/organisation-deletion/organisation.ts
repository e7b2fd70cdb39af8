import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { endorsement } from '../../../src/actors/endorsement/rules.ts'
import { refOfNames, refOfText } from '../../../src/actors/ids.ts'
import { ceilingOf } from '../../../src/actors/ledger-ceiling/rules.ts'
import { itemRateOf } from '../../../src/actors/offer-item-rate/rules.ts'
import { mailbox, mailboxOf } from '../../../src/actors/mailbox/state.ts'
import { mediatedKey } from '../../../src/actors/mediated-key/rules.ts'
import { wallet } from '../../../src/actors/wallet/rules.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import type { EngineSettings } from '../../../src/persistence/engine-settings.ts'
import { walkActors } from '../../../src/persistence/journal-walk.ts'
import { openForInspection } from '../../../src/persistence/open-engine.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { type Call, callService } from '../../../src/cli/service-call.ts'
import type { GiveOrder } from '../../../tools/harness/orders.ts'
import type { Place } from '../../../tools/harness/place.ts'
import { Program } from '../../../tools/harness/program.ts'
import { Restarting } from '../../../tools/harness/restarting.ts'
import { unhindered } from '../../../tools/harness/service.ts'
import { publishPerson, type RunningService } from '../../e2e/running-service.ts'
import { seedRunningJob } from '../../e2e/waiting-item.ts'
import { type openWithPorts, seedConnection, seedExchanges } from '../../../tools/flows/seeded.ts'
import { canary } from '../vault/parts/passport-office.ts'

const CONNECTIONS = 10
const AT_ONCE = 16
const DAY_MS = 86_400_000

/** Counts what is posted to it, and takes it only when it is asked to. */
export const listener = async () => {
  const heard = { posts: 0, taken: 0, takes: false }
  const server = createServer((request, response) => {
    heard.posts += 1
    if (heard.takes) heard.taken += 1
    request.resume()
    response.writeHead(heard.takes ? 204 : 503).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    heard,
    url: `http://127.0.0.1:${port}/`,
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A service whose clock can be set ahead while it runs, and that is started again whenever it was killed. */
export const startClocked = async (place: Place, settings: Readonly<Record<string, string>>) => {
  const clockFile = join(place.folder, 'clock')
  let days = 0
  const setDay = (day: number): void => {
    days = day
    writeFileSync(clockFile, String(Math.round(day * DAY_MS)))
  }
  setDay(0)
  const port = await reservePorts(1)
  const env = {
    ...process.env,
    ...unhindered,
    VOUCHSAFE_LOG_LEVEL: 'silent',
    ...place.settings,
    ...settings,
    VOUCHSAFE_TEST_CLOCK_FILE: clockFile,
    PORT: String(port),
  }
  const script = fileURLToPath(new URL('clocked-service.ts', import.meta.url))
  const service = new Restarting({
    open: () => new Program([script], { env }),
    ready: (program) => program.untilListening(),
  })
  place.add('service', () => service.stop())
  service.start()
  await service.untilReady()
  const kill = async (): Promise<void> => {
    const running = await service.untilReady()
    running.kill()
    await running.ended
    await service.untilReady()
  }
  const pass = (more: number): void => setDay(days + more)
  return { service, url: `http://127.0.0.1:${port}`, kill, pass }
}

type Seeding = {
  readonly service: RunningService
  readonly ports: ReturnType<ReturnType<typeof openWithPorts>['ports']>
  readonly name: string
  readonly wallet: string
  readonly webhooks: string
}

/** A schema that waits for an operator: with its endorsement, and the count of what was written to the ledger. */
const seedEndorsement = async ({ order }: RunningService, tenant: string): Promise<readonly string[]> => {
  await order('tenant endorsement', { tenant, mode: 'manual' })
  const asked = { tenant, name: 'waiting', version: '1.0', attributes: ['expiresAt'] }
  const id = String((await order('schema publish', asked))['id'])
  await expect
    .poll(async () => (await order('schema show', { tenant, id }))['status'], { timeout: 60_000 })
    .toBe('awaiting_endorsement')
  return [id, refOfNames(endorsement, [id, 1]), ceilingOf(tenant)]
}

/** A request for many offers whose one item is refused: its job, and the count of items. */
const seedJob = async (
  { send }: RunningService,
  apiKey: string,
  tenant: string,
  secrets: Map<string, string>,
) => {
  const item = {
    idempotencyKey: canary('key'),
    connectionId: 'con_00nobodynobody',
    credentialDefinitionId: 'def_00nobodynobody',
    attributes: { name: canary('value') },
  }
  secrets.set('key of an item', item.idempotencyKey).set('value of an item', item.attributes.name)
  const begun = await send('POST', '/v1/credentials/offers', { items: [item] }, apiKey)
  const path = `/v1/credential-offer-jobs/${String(begun.json['id'])}`
  await expect
    .poll(async () => (await send('GET', path, undefined, apiKey)).json, { timeout: 60_000 })
    .toMatchObject({ status: 'finished', refused: 1 })
  return [String(begun.json['id']), itemRateOf(tenant)]
}

/** An organisation with something of everything. `secrets` is what is personal in it, each by its name. */
export const seedOrganisation = async (
  { service, ports, name, wallet: endpoint, webhooks }: Seeding,
  {
    connections: connectionCount = CONNECTIONS,
    ...count
  }: { readonly connections?: number; readonly exchanges: number; readonly wallets: number },
) => {
  const { order } = service
  const secrets = new Map([['name', name]])
  const tenant = String((await order('tenant create', { name }))['id'])
  const { key } = await order('key create', { tenant, label: 'backend' })
  const apiKey = String(key)
  await publishPerson({ ...service, tenant })
  const published = await seedEndorsement(service, tenant)
  await order('webhook set', { tenant, url: webhooks, eventTypes: null })
  const emailAddress = `${canary('email')}@example.org`
  secrets.set('e-mail', emailAddress)
  await order('member invite', { tenant, emailAddress, role: 'admin' })
  const { json } = await service.send('POST', '/v1/connections/invitations', {}, apiKey)
  const claims: string[] = []
  const wallets = Array.from({ length: count.wallets }, async () => {
    const id = wallet.newRef(Math.floor(Math.random() * 256), ports.runtime.newId())
    const facts = { tenant, installationId: ports.runtime.newId(), externalId: null, tokenHash: 'hash' }
    const command = { type: 'IssueWalletToken', atMs: ports.runtime.now(), ...facts } as const
    await ports.actors.ask(id, command, { commandId: `issue ${id}`, tenant })
    const { invitedAs, claim } = await seedMailbox(ports, tenant, id)
    secrets.set(`invitation of ${id}`, invitedAs)
    claims.push(claim)
    return String(id)
  })
  const connections: string[] = []
  const exchanges: string[] = []
  for (let number = 0; number < connectionCount; number++) {
    const at = { ...ports, tenant }
    const connection = await seedConnection(at, `${endpoint}${canary('endpoint')}`, {
      shard: (number * 37) % 256,
    })
    connection.canaries.forEach((text, index) => secrets.set(`connection ${number}.${index}`, text))
    const { ids, value } = await seedExchanges(
      at,
      connection.id,
      Math.ceil(count.exchanges / connectionCount),
    )
    secrets.set(`value ${number}`, value)
    connections.push(connection.id)
    exchanges.push(...ids)
  }
  const invitation = String(json['invitationId'])
  const [connectionId = ''] = connections
  const item = { connectionId, key: canary('key'), name: canary('value') }
  secrets.set('key of an item that waits', item.key).set('value of an item that waits', item.name)
  const running = await seedRunningJob(ports, tenant, [item])
  const jobs: readonly string[] = [running, ...(await seedJob(service, apiKey, tenant, secrets))]
  // What was erased on request stays as an entry of the log of erasures.
  let erased = ''
  for (const id of exchanges.filter((each) => each.startsWith('cre'))) {
    const { status } = await service.send('POST', `/v1/credentials/${id}/erase`, undefined, apiKey)
    if (status === 200) erased = id
    if (erased !== '') break
  }
  return {
    tenant,
    name,
    apiKey,
    published,
    jobs,
    secrets,
    connections,
    exchanges: exchanges.filter((id) => id !== erased),
    erased,
    invitation,
    wallets: await Promise.all(wallets),
    claims,
  }
}

/** Its app was invited to the mediator, and has claimed a key. */
const seedMailbox = async (ports: Seeding['ports'], tenant: string, walletId: string) => {
  const invitedAs = canary('invitation')
  const invitation = { id: invitedAs, ownSeed: 'seed', ownKey: 'key', expiresAtMs: 1 }
  const command = {
    type: 'InviteWallet',
    atMs: ports.runtime.now(),
    tenant,
    walletId,
    externalId: null,
  } as const
  const address = mailbox.ref(mailboxOf(walletId))
  await ports.actors.ask(address, { ...command, invitation }, { commandId: `invite ${address}`, tenant })
  const claim = refOfText(mediatedKey, canary('key'))
  const claimed = { type: 'ClaimKey', atMs: ports.runtime.now(), mailbox: String(address) } as const
  await ports.actors.ask(claim, claimed, { commandId: `claim:${address}`, tenant: null })
  return { invitedAs, claim: String(claim) }
}

/** All of an organisation that its deletion takes from the journal; what was erased on request stays as an entry. */
export const idsOf = ({ connections, exchanges, wallets, claims, invitation, published, jobs }: Seeded) =>
  new Set([
    ...connections,
    ...exchanges,
    ...wallets,
    ...wallets.map(mailboxOf),
    ...claims,
    invitation,
    ...published,
    ...jobs,
  ])

/** Every actor that the journal of a service knows, which may go on running. */
export const actorsIn = async (engine: EngineSettings): Promise<readonly string[]> => {
  const reads = await openForInspection(engine)
  try {
    const found: string[] = []
    for (let shard = 0; shard < SHARD_COUNT; shard++)
      for await (const id of walkActors(reads, shard)) found.push(id)
    return found
  } finally {
    await reads[Symbol.asyncDispose]()
  }
}

export type Seeded = Awaited<ReturnType<typeof seedOrganisation>>

/** What an organisation sees of itself; by the command line, because its own keys may be refused. */
export const viewOf = async (call: Call, { tenant, connections, exchanges, wallets }: Seeded) => {
  const get = (path: string): Promise<unknown> => call('GET', path, { organisation: tenant })
  const pathOf = (id: string): string => {
    if (id.startsWith('con')) return `/v1/connections/${id}`
    if (id.startsWith('wal')) return `/v1/wallets/${id}`
    return id.startsWith('cre') ? `/v1/credentials/${id}` : `/v1/proofs/${id}`
  }
  const view = new Map<string, unknown>()
  const ids = [...connections, ...exchanges, ...wallets]
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const shown = await Promise.all(some.map((id) => get(pathOf(id))))
    for (const [index, id] of some.entries()) view.set(id, shown[index])
  }
  for (const list of ['connections', 'credentials', 'proofs', 'wallets', 'credential-definitions', 'schemas'])
    view.set(list, await get(`/v1/${list}?pageSize=25`))
  return view
}

const LATER = /try again|No service runs/
const PATIENCE_MS = 120_000

/** Calls again while the service starts, or a node has not all of its shards yet. */
export const patientCalls = (dataFolder: string): Call => {
  return async (...asked) => {
    for (const endMs = performance.now() + PATIENCE_MS; ; ) {
      try {
        // The service that is started again has another token.
        return await callService(dataFolder)(...asked)
      } catch (error) {
        if (!LATER.test(String(error)) || performance.now() > endMs) throw error
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
  }
}

export const untilStatus = async (order: GiveOrder, tenant: string, status: string): Promise<void> => {
  for (;;) {
    const found = await order('tenant show', { tenant }).catch(() => null)
    if (found?.['status'] === status) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
