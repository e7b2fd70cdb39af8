import { describe, expect, it } from 'vitest'
import { connection } from '../../../src/actors/connection/rules.ts'
import { credential } from '../../../src/actors/credential/rules.ts'
import { newRef } from '../../../src/actors/ids.ts'
import { beginDeletion, createTenant } from '../../../src/actors/tenant/commands.ts'
import { tenant as organisations } from '../../../src/actors/tenant/rules.ts'
import { wallet, type WalletTypes } from '../../../src/actors/wallet/rules.ts'
import { openAtRest } from '../../../src/compose/erasures/at-rest.ts'
import type { ErasedLine, ErasureLine } from '../../../src/compose/erasures/erasure-file.ts'
import { type Replayed, replayErasures } from '../../../src/compose/erasures/replay-erasures.ts'
import type { DurableActors } from '../../../src/compose/durable-actors.ts'
import type { ServiceContext } from '../../../src/compose/service-context.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { PREFIX } from '../../../src/domain/message-prefix.ts'
import type { Ref } from '../../../src/domain/references.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { contextOn } from '../service-context.ts'

const DAY_MS = 86_400_000

const during = async <Result>(
  folder: string,
  work: (context: ServiceContext) => Promise<Result>,
): Promise<Result> => {
  const context = contextOn(folder)
  try {
    return await work(context)
  } finally {
    await context.lifecycle.end((part, error) => expect([part, error]).toBeNull())
  }
}
const withActors = <Result>(folder: string, work: (durable: DurableActors) => Promise<Result>) =>
  during(folder, async (context) => work(await openAtRest(context)))

/** The same so many days ago, when nothing of that time was over. */
const withActorsBefore = <Result>(
  days: number,
  folder: string,
  work: (durable: DurableActors) => Promise<Result>,
) =>
  during(folder, async (context) => {
    const now = () => Date.now() - days * DAY_MS
    return work(await openAtRest({ ...context, runtime: { ...context.runtime, now } }))
  })

async function* linesOf(lines: readonly ErasureLine[]): AsyncGenerator<ErasureLine> {
  yield* lines
}
const replay = (folder: string, lines: readonly ErasureLine[]): Promise<Replayed> =>
  during(folder, (context) => replayErasures(context, linesOf(lines)))

/** An organisation with a connection, a running offer, and one that its holder declined so many days ago. */
const furnish = async ({ actors, runtime }: DurableActors, daysAgo: number) => {
  const identityOf = () => ({ did: 'V4SGRU86Z58d6TV7PBUe6f', verkey: 'V' })
  const made = await createTenant({ actors, runtime, identityOf }, 'Museum')
  if (isRefused(made)) throw new Error(made.reason)
  const { id: tenant } = made
  const atMs = runtime.now() - daysAgo * DAY_MS
  const connectionId = newRef(connection, runtime)
  const request = {
    type: 'RequestConnection',
    atMs,
    tenant,
    invitationId: 'inv_00aaaaaaaa',
    externalId: null,
    threadId: 't',
    theirLabel: 'Phone',
    theirDid: 'did',
    theirService: { endpoint: 'https://wallet.example', recipientKeys: ['key'], routingKeys: [] },
    ownSeed: 'seed',
    ownKey: 'key',
    protocol: 'didexchange/1.1',
    prefix: PREFIX,
  } as const
  await actors.ask(connectionId, request, { commandId: 'request', tenant })
  const offer = async () => {
    const to = newRef(credential, runtime)
    const offered = {
      type: 'OfferCredential',
      // One from then would run out before its holder declines it.
      atMs: runtime.now(),
      tenant,
      connectionId,
      externalId: null,
      definition: { catalogueId: 'def_00aaaaaaaa', ledgerId: 'ledger' },
      threadId: to,
      nonce: '1',
      attributes: { name: 'Ada' },
    } as const
    await actors.ask(to, offered, { commandId: 'offer', tenant })
    return to
  }
  const [running, declined, other] = [await offer(), await offer(), await offer()]
  const no = {
    type: 'ReceiveCredentialProblem',
    atMs,
    from: connectionId,
    prefix: PREFIX,
    code: 'no',
  } as const
  for (const to of [declined, other]) await actors.ask(to, { ...no, text: 'no' }, { commandId: 'no', tenant })
  return { tenant, connectionId, running, declined, other }
}

const lineOf = (organisation: string, recordId: string, erasedAt: string): ErasedLine => {
  const recordType = recordId.startsWith('con') ? 'connection' : 'credential'
  return { organisation, recordType, recordId, initiator: 'tenant_member', erasedAt }
}

const NONE = { deleted: 0, deletedBefore: 0, unknown: 0, unfinished: [], calledBack: 0 }

describe('replaying erasures', () => {
  it('erases as it was erased, whatever state was restored, once', async () => {
    const folder = temporaryFolder('replay')
    const { tenant, connectionId, running, declined, other } = await withActors(folder, (durable) =>
      furnish(durable, 1),
    )
    const erasedAt = new Date().toISOString()
    const lines = [running, declined].map((id) => lineOf(tenant, id, erasedAt))
    const foreign = lineOf('ten_00bbbbbbbb', other, erasedAt)
    const newer = lineOf(tenant, 'cre_00cccccccccc', erasedAt)
    const none = { erasedBefore: 0, unknown: 0, unreadable: [], organisations: NONE, periods: 0, swept: 0 }
    expect(await replay(folder, [...lines, foreign, newer])).toEqual({ ...none, erased: 2, unknown: 2 })
    expect(await replay(folder, lines)).toEqual({ ...none, erased: 0, erasedBefore: 2 })
    expect(await replay(folder, [lineOf(tenant, connectionId, erasedAt)])).toEqual({ ...none, erased: 1 })
    await withActors(folder, async ({ actors }) => {
      const erased = { erasedAtMs: Date.parse(erasedAt), erasedBy: 'tenant_member', attributes: null }
      expect(await actors.read(credential.ref(running))).toMatchObject({ ...erased, status: 'abandoned' })
      expect(await actors.read(credential.ref(declined))).toMatchObject({ ...erased, status: 'declined' })
      expect(await actors.read(credential.ref(other))).toMatchObject({ erasedAtMs: null, attributes: null })
      expect(await actors.read(connection.ref(connectionId))).toMatchObject({
        status: 'closed',
        erasedAtMs: Date.parse(erasedAt),
        theirLabel: null,
      })
    })
  })

  it('lets nobody make again what was made after the backup, and erased', async () => {
    const folder = temporaryFolder('replay')
    const { tenant, connectionId } = await withActors(folder, (durable) => furnish(durable, 1))
    const to = credential.ref('cre_00cccccccccc')
    expect(await replay(folder, [lineOf(tenant, to, new Date().toISOString())])).toMatchObject({ unknown: 1 })
    await withActors(folder, async ({ actors, runtime }) => {
      const offered = {
        type: 'OfferCredential',
        atMs: runtime.now(),
        tenant,
        connectionId,
        externalId: null,
        definition: { catalogueId: 'def_00aaaaaaaa', ledgerId: 'ledger' },
        threadId: to,
        nonce: '1',
        attributes: { name: 'Ada' },
      } as const
      const made = actors.ask(to, offered, { commandId: 'offer', tenant })
      await expect(made).rejects.toThrow()
      expect(await actors.read(to)).toMatchObject({ refused: 'not_found' })
    })
  })

  it('sweeps by the period of the export before anything is served', async () => {
    const folder = temporaryFolder('replay')
    const { tenant, declined, other, running } = await withActorsBefore(10, folder, (durable) =>
      furnish(durable, 0),
    )
    const period = { organisation: tenant, retentionDays: 9, changedAt: new Date().toISOString() }
    expect(await replay(folder, [])).toMatchObject({ swept: 0 })
    const { periods, swept } = await replay(folder, [period])
    expect([periods, swept > 0]).toEqual([1, true])
    expect(await replay(folder, [period])).toMatchObject({ periods: 0, swept: 0 })
    await withActors(folder, async ({ actors }) => {
      for (const id of [declined, other])
        expect(await actors.read(credential.ref(id))).toMatchObject({
          erasedBy: 'retention',
          attributes: null,
        })
      expect(await actors.read(credential.ref(running))).toMatchObject({ attributes: { name: 'Ada' } })
    })
  })

  it('sets the newest of several periods, whatever their order', async () => {
    const folder = temporaryFolder('replay')
    const { tenant: organisation } = await withActors(folder, (durable) => furnish(durable, 1))
    const older = { organisation, retentionDays: 30, changedAt: '2026-11-01T00:00:00.000Z' }
    const newer = { organisation, retentionDays: 40, changedAt: '2026-11-02T00:00:00.000Z' }
    expect(await replay(folder, [older])).toMatchObject({ periods: 1 })
    expect(await replay(folder, [newer, older])).toMatchObject({ periods: 1 })
    expect(await replay(folder, [older])).toMatchObject({ periods: 0 })
    await withActors(folder, async ({ actors }) =>
      expect(await actors.read(organisations.ref(organisation))).toMatchObject({ retentionDays: 40 }),
    )
  })
})

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()
const initiator = 'operator'

describe('replaying the deletion of an organisation', () => {
  it('removes all that was restored but what was erased on request, once', async () => {
    const folder = temporaryFolder('replay')
    const [doomed, neighbour] = await withActors(folder, async (durable) => [
      await furnish(durable, 1),
      await furnish(durable, 1),
    ])
    const { tenant: organisation, declined } = doomed
    const deletion = { organisation, initiator, deletionOrderedAt: daysAgo(8) } as const
    const lines: ErasureLine[] = [
      deletion,
      { ...deletion, organisation: 'ten_00cccccccc' },
      { organisation, retentionDays: 9, changedAt: daysAgo(1) },
      lineOf(organisation, declined, daysAgo(1)),
    ]
    const counted = { unreadable: [], periods: 0, swept: 0, unknown: 0 }
    expect(await replay(folder, lines)).toEqual({
      ...counted,
      erased: 1,
      erasedBefore: 0,
      organisations: { ...NONE, deleted: 1, unknown: 1 },
    })
    expect(await replay(folder, lines)).toEqual({
      ...counted,
      erased: 0,
      erasedBefore: 1,
      organisations: { ...NONE, deletedBefore: 1, unknown: 1 },
    })
    await withActors(folder, async ({ actors, vault }) => {
      expect(await actors.read(organisations.ref(organisation))).toMatchObject({
        status: 'deleted',
        name: null,
      })
      expect((await vault.openTenant(organisation)).open('', '')).toBeNull()
      for (const id of [doomed.running, doomed.other])
        expect(await actors.read(credential.ref(id))).toMatchObject({ refused: 'not_found' })
      expect(await actors.read(connection.ref(doomed.connectionId))).toMatchObject({ refused: 'not_found' })
      expect(await actors.read(credential.ref(declined))).toMatchObject({ erasedBy: 'tenant_member' })
      expect(await actors.read(credential.ref(neighbour.running))).toMatchObject({
        attributes: { name: 'Ada' },
      })
      expect(await actors.read(organisations.ref(neighbour.tenant))).toMatchObject({ status: 'active' })
    })
  })

  it('goes on with one that had begun', async () => {
    const folder = temporaryFolder('replay')
    const { tenant: organisation, running } = await withActors(folder, async (durable) => {
      const furnished = await furnish(durable, 1)
      expect(await beginDeletion(durable, furnished.tenant, Date.now() - 9 * DAY_MS)).toMatchObject({
        status: 'deleting',
      })
      return furnished
    })
    const deletion = { organisation, initiator, deletionOrderedAt: daysAgo(8) } as const
    expect(await replay(folder, [deletion])).toMatchObject({ organisations: { ...NONE, deleted: 1 } })
    await withActors(folder, async ({ actors }) =>
      expect(await actors.read(credential.ref(running))).toMatchObject({ refused: 'not_found' }),
    )
  })

  it('deletes one whose keys are gone, because its journal alone was restored', async () => {
    const folder = temporaryFolder('replay')
    const { tenant: organisation, running } = await withActors(folder, async (durable) => {
      const furnished = await furnish(durable, 1)
      await durable.vault.eraseTenant(furnished.tenant)
      return furnished
    })
    const deletion = { organisation, initiator, deletionOrderedAt: daysAgo(8) } as const
    expect(await replay(folder, [deletion])).toMatchObject({
      unreadable: [],
      organisations: { ...NONE, deleted: 1 },
    })
    await withActors(folder, async ({ actors }) => {
      expect(await actors.read(organisations.ref(organisation))).toMatchObject({ status: 'deleted' })
      expect(await actors.read(credential.ref(running))).toMatchObject({ refused: 'not_found' })
    })
  })

  it('begins none that was called back since, although its time is over in what was restored', async () => {
    const folder = temporaryFolder('replay')
    const statusOf = (id: string) =>
      withActors(folder, async ({ actors }) => await actors.read(organisations.ref(id)))
    const { tenant: organisation } = await withActors(folder, async (durable) => {
      const furnished = await furnish(durable, 1)
      await durable.actors.ask(
        organisations.ref(furnished.tenant),
        { type: 'OrderDeletion', atMs: Date.now() - 8 * DAY_MS },
        { commandId: 'order', tenant: null },
      )
      return furnished
    })
    const line = { organisation, initiator } as const
    expect(
      await replay(folder, [{ ...line, deletionCalledBackAt: daysAgo(9) }]),
      'an earlier one was called back',
    ).toMatchObject({ organisations: NONE })
    expect(await statusOf(organisation)).toMatchObject({ status: 'deletion_ordered' })
    const calledBack: ErasureLine = { ...line, deletionCalledBackAt: daysAgo(2) }
    expect(await replay(folder, [calledBack])).toMatchObject({ organisations: { ...NONE, calledBack: 1 } })
    expect(await replay(folder, [calledBack])).toMatchObject({ organisations: NONE })
    expect(await statusOf(organisation)).toMatchObject({ status: 'active', deletion: null })
  })

  it('lets no time of one run out that rested in what was restored', async () => {
    const folder = temporaryFolder('replay')
    const wallets = [newRef(wallet, createRuntime()), newRef(wallet, createRuntime())] as const
    const begin = (id: Ref<WalletTypes>, isOrdered: boolean) =>
      withActorsBefore(8, folder, async (durable) => {
        const { actors, runtime } = durable
        const { tenant, running } = await furnish(durable, 0)
        const issued = { tenant, installationId: 'i', externalId: null, tokenHash: 'hash' }
        const issue = { type: 'IssueWalletToken', atMs: runtime.now(), ...issued } as const
        await actors.ask(id, issue, { commandId: 'issue', tenant })
        const order = { type: 'OrderDeletion', atMs: runtime.now() } as const
        if (isOrdered)
          await actors.ask(organisations.ref(tenant), order, { commandId: 'order', tenant: null })
        return { tenant, running }
      })
    const resting = await begin(wallets[0], true)
    const neighbour = await begin(wallets[1], false)
    const since = { organisation: resting.tenant, initiator, deletionCalledBackAt: daysAgo(0.01) } as const
    expect(await replay(folder, [since])).toMatchObject({ organisations: { ...NONE, calledBack: 1 } })
    await withActors(folder, async ({ actors }) => {
      const offer = async (id: string) => actors.read(credential.ref(id))
      const token = async (id: Ref<WalletTypes>) => actors.read(id)
      expect(await offer(resting.running)).toMatchObject({ status: 'offer-sent' })
      expect(await token(wallets[0])).toMatchObject({ status: 'pending' })
      await expect.poll(() => offer(neighbour.running)).toMatchObject({ status: 'abandoned' })
      await expect.poll(() => token(wallets[1])).toMatchObject({ status: 'revoked' })
    })
  })
})
