import { afterAll, describe, expect, it } from 'vitest'
import { registerAgreement, registerEndorsements } from '../../src/cli/endorsements.ts'
import { registerOrganisations } from '../../src/cli/organisations.ts'
import { registerPublishing } from '../../src/cli/publishing.ts'
import { orderTo } from '../../src/cli/run-order.ts'
import { localService } from '../compose/local-service.ts'
import { eventually } from '../eventually.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

const service = await localService()
const { tenant } = service.at
afterAll(() => service.close())
const registered = [registerOrganisations, registerPublishing, registerEndorsements, registerAgreement].map(
  (register) =>
    (program: Parameters<typeof register>[0], environment: Parameters<typeof orderTo>[0]): void =>
      register(program, orderTo(environment)),
)
const run = (...words: string[]) => vouchsafe(registered, { VOUCHSAFE_DATA_FOLDER: service.folder }, words)
const json = async (...words: string[]) => {
  const { code, out, err } = await run('--json', ...words)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as Readonly<Record<string, unknown>>
}

const publish = async (name: string) =>
  json(
    'schema',
    'publish',
    tenant,
    '--name',
    name,
    '--schema-version',
    '1.0',
    '--attributes',
    'name,expiresAt',
  )

describe('vouchsafe endorsements', () => {
  it('list what waits, and let it go on or fail with a reason', async () => {
    expect(await run('endorsements', 'list')).toMatchObject({ code: 0, out: 'There are none.\n' })
    expect(await json('tenant', 'endorsement', tenant, 'manual')).toMatchObject({ endorsement: 'manual' })
    const first = await publish('first')
    expect(first).toMatchObject({ status: 'awaiting_endorsement', lastError: null })
    const { items } = await json('endorsements', 'list')
    const [waiting] = items as readonly { id: string }[]
    expect(waiting).toMatchObject({ organisationId: tenant, recordId: first['id'], status: 'waiting' })
    const id = String(waiting?.id)
    const { out } = await run('endorsements', 'list')
    expect(out).toContain(`${id}  `)
    expect(out).toContain('  first 1.0 ("name", "expiresAt")\n')
    expect(await json('endorsements', 'approve', id)).toMatchObject({
      status: 'approved',
      decidedBy: 'local',
    })
    await eventually(async () =>
      expect(await json('schema', 'retry', tenant, String(first['id'])).catch(() => null)).toBeNull(),
    )
    const second = await publish('second')
    const next = (await json('endorsements', 'list'))['items'] as readonly { id: string }[]
    await json('endorsements', 'refuse', String(next[0]?.id), '--reason', 'Taken.')
    await eventually(async () =>
      expect((await json('endorsements', 'list', '--status', 'refused'))['items']).toMatchObject([
        { recordId: second['id'], reason: 'Taken.' },
      ]),
    )
    expect(await json('tenant', 'endorsement', tenant, 'automatic')).toMatchObject({
      endorsement: 'automatic',
    })
    expect(await json('schema', 'retry', tenant, String(second['id']))).toMatchObject({ status: 'published' })
    expect(await json('schema', 'deprecate', tenant, String(second['id']))).toMatchObject({
      status: 'deprecated',
    })
  })

  it('say what is wrong in one sentence', async () => {
    expect(await run('endorsements', 'approve', 'x')).toMatchObject({
      code: 1,
      err: 'There is no endorsement with this id.\n',
    })
  })
})

describe('vouchsafe tenant ledger-ceiling', () => {
  it('shows and sets how often an organisation may write in a day', async () => {
    expect(await json('tenant', 'ledger-ceiling', tenant)).toMatchObject({ writesPerDay: 100 })
    expect(await json('tenant', 'ledger-ceiling', tenant, '--per-day', '0')).toMatchObject({
      writesPerDay: 0,
    })
    expect(
      (
        await run(
          'schema',
          'publish',
          tenant,
          '--name',
          'x',
          '--schema-version',
          '1.0',
          '--attributes',
          'expiresAt',
        )
      ).err,
    ).toMatch(/^The organisation may write to the ledger 0 times/)
    expect(await json('tenant', 'ledger-ceiling', tenant, '--usual')).toMatchObject({ writesPerDay: 100 })
  })
})

describe('vouchsafe agreement', () => {
  it('shows the text, and accepts that', async () => {
    const shown = await json('agreement', 'show')
    expect(shown).toMatchObject({ status: 'open', text: 'Every author declares …', acceptedBy: null })
    const digest = String(shown['digest'])
    expect(await run('agreement', 'accept', '--digest', 'other', '--mechanism', 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('another agreement by now') as unknown,
    })
    const accept = ['agreement', 'accept', '--digest', digest, '--mechanism']
    expect((await run(...accept, 'x')).err).toContain('service_agreement')
    expect(await json(...accept, 'service_agreement')).toMatchObject({
      status: 'accepted',
      acceptedBy: 'local',
      acceptedMechanism: 'service_agreement',
    })
  })
})
