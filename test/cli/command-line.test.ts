import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { registerAccounts } from '../../src/cli/accounts.ts'
import { registerDirectory } from '../../src/cli/directory.ts'
import { registerOrganisations } from '../../src/cli/organisations.ts'
import { registerPublishing } from '../../src/cli/publishing.ts'
import { orderTo } from '../../src/cli/run-order.ts'
import { registerWebhooks } from '../../src/cli/webhooks.ts'
import type { Environment } from '../../src/config/config.ts'
import { localService } from '../compose/local-service.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

type Json = Readonly<Record<string, unknown>>

const service = await localService()
const tenant = service.at.tenant
afterAll(() => service.close())

const registerOrders = (program: Command, environment: Environment): void => {
  const order = orderTo(environment)
  registerOrganisations(program, order)
  registerPublishing(program, order)
  registerWebhooks(program, order)
  registerDirectory(program, order)
  registerAccounts(program, order)
}
const run = (...words: string[]) =>
  vouchsafe([registerOrders], { VOUCHSAFE_DATA_FOLDER: service.folder }, words)

/** The answer of a command that ends well, as programs read it. */
const json = async (...words: string[]): Promise<Json> => {
  const { code, out, err } = await run('--json', ...words)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as Json
}
/** What a person reads when the command ends well. */
const text = async (...words: string[]): Promise<string> => {
  const { code, out } = await run(...words)
  expect(code).toBe(0)
  return out
}
const failure = async (...words: string[]): Promise<string> => {
  const { code, out, err } = await run(...words)
  expect([code, out]).toEqual([1, ''])
  return err
}
const iso = expect.stringMatching(/^\d{4}-.*Z$/) as unknown

describe('the commands that give the running service orders', () => {
  it('have their names, arguments and options', () => {
    const program = new Command()
    registerOrders(program, {})
    const usages = program.commands.flatMap((group) =>
      group.commands.map((each) => {
        const options = each.options.map(({ flags }) => flags)
        return [
          group.name(),
          each.name(),
          ...each.registeredArguments.map((argument) => argument.name()),
          ...options,
        ].join(' ')
      }),
    )
    expect(usages).toEqual([
      'tenant create name',
      'tenant show tenant',
      'tenant list --page <number>',
      'tenant suspend tenant',
      'tenant resume tenant',
      'tenant delete tenant name',
      'tenant restore tenant',
      'tenant endorsement tenant mode',
      'tenant ledger-ceiling tenant --per-day <number> --usual',
      'tenant rate tenant --per-minute <number> --key-per-minute <number>',
      'key create tenant --label <label>',
      'key list tenant --page <number>',
      'key revoke key-id',
      'key rate key-id --per-minute <number>',
      'schema publish tenant --name <name> --schema-version <version> --attributes <names>',
      'schema retry tenant id',
      'schema deprecate tenant id',
      'definition publish tenant --schema <schema> --tag <tag>',
      'definition keys tenant id',
      'definition retry tenant id',
      'definition deprecate tenant id',
      'template create tenant --file <file>',
      'webhook set tenant --url <url> --events <types>',
      'webhook show tenant',
      'webhook rotate tenant',
      'webhook remove tenant',
      'directory rebuild',
      'member invite tenant email-address --role <role>',
      'member list tenant',
      'member remove tenant account',
      'operator invite email-address',
      'operator list',
      'operator remove account',
    ])
  })

  it('say in one sentence that no service runs', async () => {
    const elsewhere = { VOUCHSAFE_DATA_FOLDER: temporaryFolder('no-service') }
    expect(await vouchsafe([registerOrders], elsewhere, ['tenant', 'list'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No service runs on .*\.\n$/) as unknown,
    })
  })
})

describe('vouchsafe tenant', () => {
  it('creates, shows, lists, suspends and resumes', async () => {
    const made = await json('tenant', 'create', 'Museum')
    expect(made).toEqual({ id: expect.stringMatching(/^ten_/) as unknown, did: 'V4SGRU86Z58d6TV7PBUe6f' })
    const id = String(made['id'])
    expect(await text('tenant', 'show', id)).toMatch(
      new RegExp(
        `^id           ${id}\nname         Museum\nstatus       active\ndid          V4SGRU86Z58d6TV7PBUe6f\n`,
      ),
    )
    expect(await json('tenant', 'list')).toMatchObject({ total: 2, page: 1, pageSize: 100 })
    expect(await text('tenant', 'list')).toContain(`${id}  active  Museum\n`)
    expect(await text('tenant', 'list', '--page', '2')).toBe('0 of 2\n')
    expect(await json('tenant', 'suspend', id)).toMatchObject({ id, status: 'suspended' })
    expect(await json('tenant', 'resume', id)).toMatchObject({ id, status: 'active' })
  })

  it('sets rates, each alone or both, and takes them back', async () => {
    const { id } = await json('tenant', 'create', 'Archive')
    const rate = (...given: readonly string[]) => json('tenant', 'rate', String(id), ...given)
    expect(await rate('--per-minute', '6000', '--key-per-minute', '600')).toEqual({
      id,
      ratePerMinute: 6_000,
      keyRatePerMinute: 600,
    })
    expect(await rate('--per-minute', 'none')).toMatchObject({ ratePerMinute: null, keyRatePerMinute: 600 })
  })

  it('says what is wrong in one sentence', async () => {
    expect(await failure('tenant', 'create', ' ')).toMatch(/^name .*\.\n$/)
    expect(await failure('tenant', 'show', 'x')).toBe('There is no organisation with this id.\n')
    expect(await failure('tenant', 'suspend', 'ten_00nobodyyyy')).toBe(
      'There is no organisation with this id.\n',
    )
    const { code, err } = await run('--json', 'tenant', 'show', 'x')
    expect([code, JSON.parse(err)]).toEqual([1, { failed: ['There is no organisation with this id.'] }])
  })
})

describe('vouchsafe key', () => {
  it('creates one that is shown once, lists, changes the rate and revokes', async () => {
    const { id, key, ...rest } = await json('key', 'create', tenant, '--label', 'shop')
    expect([key, rest]).toEqual([expect.stringMatching(/^svc_sk_/), {}])
    expect(await json('key', 'rate', String(id), '--per-minute', '600')).toEqual({ id, perMinute: 600 })
    const listed = await text('key', 'list', tenant)
    expect(listed).toContain(`${String(id)}  active  svc_sk_…${String(key).slice(-4)}  600  shop\n`)
    expect(listed).not.toContain(String(key))
    expect(await json('key', 'rate', String(id))).toEqual({ id, perMinute: null })
    expect(await json('key', 'revoke', String(id))).toEqual({ id, status: 'revoked' })
    expect(await text('key', 'list', tenant)).toContain(`${String(id)}  revoked`)
  })

  it('says what is wrong in one sentence', async () => {
    expect(await failure('key', 'create', 'ten_00nobodyyyy')).toBe('There is no organisation with this id.\n')
    expect(await failure('key', 'list', 'x')).toBe('There is no organisation with this id.\n')
    expect(await failure('key', 'revoke', 'x')).toBe('There is no API key with this id.\n')
    expect(await failure('key', 'rate', 'x', '--per-minute', '5')).toBe('There is no API key with this id.\n')
  })
})

describe('vouchsafe schema, definition and template', () => {
  it('publish and create', async () => {
    const names = ['--name', 'guest', '--schema-version', '1.0', '--attributes', 'name, expiresAt']
    const schema = await json('schema', 'publish', tenant, ...names)
    expect(schema).toEqual({
      id: expect.stringMatching(/^sch_/) as unknown,
      name: 'guest',
      version: '1.0',
      status: 'published',
      ledgerId: 'V4SGRU86Z58d6TV7PBUe6f:2:guest:1.0',
      lastError: null,
    })
    const definition = await json('definition', 'publish', tenant, '--schema', String(schema['id']))
    expect(definition).toEqual({
      id: expect.stringMatching(/^def_/) as unknown,
      tag: 'default',
      status: 'published',
      ledgerId: 'V4SGRU86Z58d6TV7PBUe6f:3:CL:7:default',
      lastError: null,
    })
    const file = join(service.folder, 'template.json')
    const groups = [{ name: 'guest', credentialDefinitionIds: [definition['id']], attributes: ['name'] }]
    writeFileSync(file, JSON.stringify({ name: 'Entry', groups }))
    expect(await text('template', 'create', tenant, '--file', file)).toMatch(/^id {2}tpl_\w+\n$/)
  })

  it('say what is wrong in one sentence', async () => {
    const names = ['--name', 'other', '--schema-version', '1.0', '--attributes', 'name']
    expect(await failure('schema', 'publish', tenant, ...names)).toMatch(/^\S.*expiresAt.*\.\n$/)
    expect(await failure('schema', 'publish', 'x', ...names)).toBe('There is no organisation with this id.\n')
    expect(await failure('definition', 'publish', tenant, '--schema', 'x')).toBe(
      'There is no schema with this schemaId.\n',
    )
  })

  it('leave lines in the audit log of the organisation', async () => {
    const lines = await service.api.send('GET', '/v1/audit-log?initiatorId=local', {
      as: { kind: 'member', tenantId: tenant, memberId: 'mem_1', role: 'viewer' },
    })
    const found = (lines.json['items'] as readonly Json[]).map(({ action, initiator }) => [action, initiator])
    for (const action of ['publishSchema', 'publishCredentialDefinition', 'createProofTemplate'])
      expect(found).toContainEqual([action, 'command_line'])
  })
})

describe('vouchsafe webhook', () => {
  const url = 'https://receiver.example/hooks'

  it('sets, shows, rotates and removes', async () => {
    expect(await failure('webhook', 'show', tenant)).toBe('No webhook endpoint is set.\n')
    const { secret, ...made } = await json(
      'webhook',
      'set',
      tenant,
      '--url',
      url,
      '--events',
      'proof.state_changed',
    )
    expect(secret).toMatch(/^svc_whsec_/)
    expect(made).toEqual({
      url,
      eventTypes: ['proof.state_changed'],
      secretCreatedAt: iso,
      previousSecretExpiresAt: null,
      createdAt: iso,
      updatedAt: iso,
    })
    expect(await json('webhook', 'show', tenant)).toEqual(made)
    expect(await json('webhook', 'set', tenant, '--url', url)).toMatchObject({ url, eventTypes: null })
    const rotated = await json('webhook', 'rotate', tenant)
    expect(rotated['secret']).not.toBe(secret)
    expect(rotated['previousSecretExpiresAt']).toEqual(iso)
    expect(await json('webhook', 'show', tenant)).toHaveProperty('previousSecretExpiresAt', iso)
    service.api.service.runtime.forward(25 * 3_600_000)
    expect(await json('webhook', 'show', tenant)).toHaveProperty('previousSecretExpiresAt', null)
    expect(await text('webhook', 'remove', tenant)).toBe('The webhook endpoint is removed.\n')
    for (const word of ['show', 'rotate', 'remove'])
      expect(await failure('webhook', word, tenant)).toBe('No webhook endpoint is set.\n')
  })

  it('says what is wrong in one sentence', async () => {
    expect(await failure('webhook', 'set', tenant, '--url', 'http://receiver.example')).toBe(
      'url must begin with https://.\n',
    )
    expect(await failure('webhook', 'set', tenant, '--url', url, '--events', 'x')).toMatch(
      /^eventTypes.*\.\n$/,
    )
    expect(await failure('webhook', 'show', 'x')).toBe('There is no organisation with this id.\n')
  })
})

describe('vouchsafe member and operator', () => {
  it('invite, list and remove', async () => {
    expect(await text('member', 'list', tenant)).toBe('There are no accounts yet.\n')
    const { id, ...invited } = await json('member', 'invite', tenant, 'ann@example.org', '--role', 'viewer')
    expect(invited).toEqual({
      role: 'viewer',
      link: expect.stringContaining(`/console/invitation#${String(id)}`) as unknown,
      expiresAt: iso,
    })
    expect(await text('member', 'list', tenant)).toBe(`${String(id)}  viewer  invited  ann@example.org\n`)
    expect(await json('member', 'remove', tenant, String(id))).toEqual({ id, status: 'removed' })
    expect(await json('member', 'list', tenant)).toEqual({ items: [] })

    const operator = await json('operator', 'invite', 'olga@example.org')
    expect(operator).toMatchObject({ role: 'operator', link: expect.any(String) as unknown })
    const operatorId = String(operator['id'])
    expect(await text('operator', 'list')).toBe(`${operatorId}  operator  invited  olga@example.org\n`)
    expect(await json('operator', 'remove', operatorId)).toEqual({ id: operatorId, status: 'removed' })
  })

  it('list all, over several pages', async () => {
    const words = Array.from({ length: 101 }, (_, index) => `many${index}@example.org`)
    for (const word of words) await json('operator', 'invite', word)
    const { items } = await json('operator', 'list')
    const listed = new Set((items as readonly Json[]).map(({ emailAddress }) => emailAddress))
    expect(listed).toEqual(new Set(words))
  })

  it('say what is wrong in one sentence', async () => {
    expect(await failure('member', 'invite', tenant, 'nobody')).toMatch(/^emailAddress .*\.\n$/)
    expect(await failure('member', 'list', 'x')).toBe('There is no organisation with this id.\n')
    expect(await failure('operator', 'remove', 'x')).toBe('There is no member with this id.\n')
  })
})

describe('vouchsafe directory', () => {
  it('rebuilds the lists', async () => {
    expect(await text('directory', 'rebuild')).toBe('1 records are in the lists.\n')
    expect(await json('directory', 'rebuild')).toEqual({
      status: 'done',
      shards: 1,
      shardsDone: 1,
      records: 1,
      lastError: null,
    })
  })
})
