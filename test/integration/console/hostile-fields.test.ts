import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConsoleWorld, DESK, enrol } from './parts/console-world.ts'
import { ordering, publish } from './parts/furnished.ts'
import { expectNothingRan, HOSTILE } from './parts/hostile.ts'
import { goToPage } from './parts/pages.ts'

const world = new ConsoleWorld({ VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' })
let page: Page
let complaints: string[]
let definitionId = ''
beforeAll(async () => {
  await world.start()
  ;({ definitionId } = await publish(ordering(world)))
  // The browser says its name itself, and the list of sessions shows it.
  ;({ page, complaints } = await world.open({ ...DESK, userAgent: HOSTILE }))
  await enrol(page, world.invitation, HOSTILE)
}, 120_000)
afterAll(() => world.stop())

const expectShown = async (path: string, text = HOSTILE): Promise<void> => {
  await page.goto(`${world.url}/console/${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expect.poll(() => page.locator('body').innerText(), { message: path }).toContain(text)
  await page.waitForLoadState('networkidle')
  await expectNothingRan(page, complaints)
}

/** Every text that somebody of an organisation can leave, and where it is shown. */
const fields: readonly (readonly [
  field: string,
  path: string,
  body: () => object,
  pages: readonly string[],
])[] = [
  ['the external id of an invitation', '/v1/connections/invitations', () => ({ externalId: HOSTILE }), []],
  ['the external id of a wallet', '/v1/wallets', () => ({ externalId: HOSTILE }), ['wallets']],
  [
    'the name of a schema and of its attributes',
    '/v1/schemas',
    () => ({ name: HOSTILE, version: '1.0', attributes: [HOSTILE, 'expiresAt'] }),
    ['schemas', 'schemas/{id}'],
  ],
  [
    'what a proof template says',
    '/v1/proof-templates',
    () => ({
      name: HOSTILE,
      description: HOSTILE,
      groups: [{ name: 'member', credentialDefinitionIds: [definitionId], attributes: ['name'] }],
    }),
    ['templates', 'templates/{id}', 'proofs/new'],
  ],
  [
    'the key of an item among many offers',
    '/v1/credentials/offers',
    () => ({
      items: [
        {
          idempotencyKey: HOSTILE.replaceAll(/[^\x21-\x7e]/g, '-'),
          connectionId: HOSTILE,
          credentialDefinitionId: definitionId,
          attributes: { name: HOSTILE, age: HOSTILE, expiresAt: '1900000000' },
        },
      ],
    }),
    [],
  ],
]

describe('what somebody of an organisation writes', () => {
  it.each(fields)('is text, or is not taken: %s', async (_, path, body, pages) => {
    const answer = await world.order('POST', path, body())
    if (answer['error'] !== undefined) {
      expect(answer['error']).toBe('invalid_request')
      return
    }
    for (const each of pages) await expectShown(each.replace('{id}', String(answer['id'])))
    if (path.endsWith('/offers')) {
      await page.goto(`${world.url}/console/offers/${String(answer['id'])}`)
      await page.getByText('1 refused').waitFor()
      await expectNothingRan(page, complaints)
    }
  })

  it('is text: the tag of a definition', async () => {
    const { items } = await world.order('GET', '/v1/schemas?status=published')
    const [{ id: schemaId } = { id: '' }] = items as readonly { readonly id: string }[]
    const made = await world.order('POST', '/v1/credential-definitions', { schemaId, tag: HOSTILE })
    if (made['error'] === undefined) await expectShown('definitions')
    else expect(made['error']).toBe('invalid_request')
  })

  it('is text: who they are, and by which browser', async () => {
    await expectShown('members')
    await expectShown('account')
    await expectShown('audit')
  })

  it('is text: the address of a webhook', async () => {
    const url = `https://receiver.example/${HOSTILE}`
    const answer = await world.order('PUT', '/v1/webhook', { url })
    if (answer['error'] === undefined) await expectShown('webhook', 'receiver.example')
    else expect(answer['error']).toBe('invalid_request')
  })

  it('is text in the preview of a wallet, and in what is kept of a form', async () => {
    await page.goto(`${world.url}/console/templates/new`)
    await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
    await page.reload()
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toContain('<img')
    await expectNothingRan(page, complaints)
  })

  it('is text: a table of offers', async () => {
    const table = `connectionId,name,age,${HOSTILE.replaceAll('"', '')}\n${HOSTILE.replaceAll('"', '')},Ada,36,x\n`
    await page.goto(`${world.url}/console/offers/new`)
    await page
      .getByLabel('Table as CSV')
      .setInputFiles({ name: `${HOSTILE}.csv`, mimeType: 'text/csv', buffer: Buffer.from(table) })
    await page.getByText('Columns that nothing is made of').waitFor()
    await expectNothingRan(page, complaints)
  })
})

describe('what an address says', () => {
  it.each([
    'connections?q={}&state={}&page={}&pageSize={}',
    'credentials?connectionId={}&credentialDefinitionId={}&from={}',
    'proofs?proofTemplateId={}&to={}',
    'deliveries?status={}&eventType={}&recordId={}',
    'credentials/new?connectionId={}',
    'proofs/new?connectionId={}',
    'definitions/new?schema={}',
    'overview?period={}',
    'audit?q={}',
    '{}',
    'connections/{}',
    'offers/{}',
    'deliveries/{}',
    'schemas/{}',
    'templates/{}',
    'organisations/{}',
    'sign-in?next={}',
    'invitation#{}',
    // Nothing that could be decoded.
    'invitation#%E0%A4%A',
    'overview?period=%E0%A4%A',
  ])('is text: %s', async (path) => {
    await goToPage(page, world, path.replaceAll('{}', encodeURIComponent(HOSTILE)))
    await expectNothingRan(page, complaints)
  })
})

describe('what an operator writes', () => {
  it('is text for operators, and for the organisation that it is about', async () => {
    const opened = await world.open()
    const { page: other } = opened
    await enrol(other, await world.inviteOperator('ops'), HOSTILE, 'Organisations')
    const made = await world.order('POST', '/v1/operator/tenants', { name: HOSTILE })
    expect(made['error']).toBeUndefined()
    const key = { tenantId: made['id'], label: HOSTILE }
    expect((await world.order('POST', '/v1/operator/api-keys', key))['error']).toBeUndefined()
    for (const path of ['organisations', `organisations/${String(made['id'])}`, 'keys', 'operators']) {
      await other.goto(`${world.url}/console/${path}`)
      await expect.poll(() => other.locator('body').innerText(), { message: path }).toContain(HOSTILE)
      await expectNothingRan(other, opened.complaints)
    }
    await other.goto(`${world.url}/console/organisations`)
    const name = world.organisationName
    await other.getByRole('searchbox').fill(name)
    await other.getByRole('button', { name: `Act for it ${name}` }).click()
    const dialog = other.getByRole('dialog', { name: `Act for ${name}` })
    await dialog.getByLabel('Reason').fill(HOSTILE)
    await dialog.getByRole('button', { name: 'Act for it' }).click()
    const banner = other.getByRole('region', { name: `You act for ${name}` })
    await expect.poll(() => banner.innerText()).toContain(HOSTILE)
    await expectNothingRan(other, opened.complaints)
    await other.context().close()
    await expectShown('audit')
  })
})
