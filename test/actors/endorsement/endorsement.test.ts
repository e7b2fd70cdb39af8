import { afterEach, describe, expect, it } from 'vitest'
import { decideEndorsement } from '../../../src/actors/endorsement/commands.ts'
import { contentOf } from '../../../src/actors/endorsement/content.ts'
import { endorsement } from '../../../src/actors/endorsement/rules.ts'
import { refOfNames } from '../../../src/actors/ids.ts'
import { retryPublishing } from '../../../src/actors/publishing.ts'
import { publishSchema } from '../../../src/actors/schema/publish.ts'
import { schema } from '../../../src/actors/schema/rules.ts'
import { createTenant, setEndorsementMode } from '../../../src/actors/tenant/commands.ts'
import { ActorFailed, AskFailed } from '../../../src/ports/actors.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { type ServiceOnMemory, serviceOnMemory } from '../../compose/service-on-memory.ts'
import { eventually } from '../../eventually.ts'
import { allowed } from '../account/accounts-world.ts'

const operator = { kind: 'operator', operatorId: 'acc_00aaaaaaaa' } as const
const attributes = ['name', 'expiresAt']

let open: ServiceOnMemory | null = null
afterEach(() => open?.close())

/** A service whose journal outlives it. */
const restartable = () => {
  const kept = { journal: new MemoryJournal(), vault: new MemoryVault() }
  return async (): Promise<ServiceOnMemory> => {
    await open?.close()
    open = await serviceOnMemory(undefined, { ...kept, ...(open && { runtime: open.runtime }) })
    return open
  }
}

const orderedByHand = async ({ useCases }: ServiceOnMemory) => {
  const tenant = allowed(await createTenant(useCases, 'Registry')).id
  allowed(await setEndorsementMode(useCases, tenant, 'manual'))
  const order = { tenant, name: 'person', version: '1.0', attributes }
  const { id } = allowed(await publishSchema(useCases, order))
  return { tenant, id }
}

const becomes = ({ actors }: ServiceOnMemory, id: string, found: object) =>
  eventually(async () => expect(await actors.read(schema.ref(id))).toMatchObject(found))

const attempt = (id: string, number: number) => refOfNames(endorsement, [id, number])

describe('an endorsement by hand', () => {
  it('waits across a restart, and lets the record go on when it is approved', async () => {
    const start = restartable()
    const { tenant, id } = await orderedByHand(await start())
    await becomes(await start(), id, { status: 'awaiting_endorsement', lastError: null })
    const service = await start()
    await becomes(service, id, { status: 'awaiting_endorsement' })
    expect(await service.actors.read(attempt(id, 1))).toMatchObject({
      status: 'waiting',
      tenant,
      recordType: 'schema',
      recordId: id,
    })
    const decided = await decideEndorsement(service.useCases, operator, attempt(id, 1), null)
    expect(decided).toMatchObject({ status: 'approved', decidedBy: 'acc_00aaaaaaaa', reason: null })
    await becomes(service, id, { status: 'published', seqNo: 7 })
    const again = await start()
    await becomes(again, id, { status: 'published' })
    await eventually(async () =>
      expect(await again.actors.read(attempt(id, 1))).toMatchObject({ isTold: true }),
    )
  })

  it('fails the record with its reason when it is refused, and the next attempt asks again', async () => {
    const service = await restartable()()
    const { tenant, id } = await orderedByHand(service)
    await becomes(service, id, { status: 'awaiting_endorsement' })
    await decideEndorsement(service.useCases, operator, attempt(id, 1), 'The name is taken.')
    await becomes(service, id, { status: 'failed', lastError: 'The name is taken.' })
    const retry = () => retryPublishing(service.useCases, { tenant, references: schema, id })
    expect(await retry()).toMatchObject({ status: 'pending', lastError: null, attempt: 2 })
    await becomes(service, id, { status: 'awaiting_endorsement' })
    expect(await decideEndorsement(service.useCases, operator, attempt(id, 1), null)).toMatchObject({
      refused: 'endorsement_decided',
    })
    await decideEndorsement(service.useCases, { ...operator, isLocal: true }, attempt(id, 2), null)
    await becomes(service, id, { status: 'published', lastError: null })
    expect(await service.actors.read(attempt(id, 2))).toMatchObject({ decidedBy: 'local' })
    expect(await retry()).toMatchObject({ refused: 'already_published' })
  })

  it('is not asked for once the organisation is endorsed by the service itself', async () => {
    const service = await restartable()()
    const { tenant, id } = await orderedByHand(service)
    await becomes(service, id, { status: 'awaiting_endorsement' })
    allowed(await setEndorsementMode(service.useCases, tenant, 'automatic'))
    const other = { tenant, name: 'other', version: '1.0', attributes }
    await becomes(service, allowed(await publishSchema(service.useCases, other)).id, { status: 'published' })
    expect(await service.actors.read(schema.ref(id))).toMatchObject({ status: 'awaiting_endorsement' })
  })
})

describe('what is to be written', () => {
  const asked = { recordType: 'schema', recordId: 'sch_00gonegonego' } as const

  it('is null where the record is gone', async () => {
    const { actors } = await restartable()()
    expect(await contentOf({ actors }, asked)).toBeNull()
    const definition = { recordType: 'credential_definition', recordId: 'def_00gonegonego' } as const
    expect(await contentOf({ actors }, definition)).toBeNull()
  })

  it('is null where the record cannot be read, and waits where it may be read later', async () => {
    const failing = (error: Error) =>
      actorsThat({
        read: () => {
          throw error
        },
      })
    expect(await contentOf({ actors: failing(new ActorFailed(asked.recordId)) }, asked)).toBeNull()
    const away = new AskFailed('unavailable', 'The shard moves.', 100)
    await expect(contentOf({ actors: failing(away) }, asked)).rejects.toBe(away)
  })
})
