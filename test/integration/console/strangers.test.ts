import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { operations } from '../../../console/src/api/generated/operations.ts'
import { type Authenticator, ConsoleWorld, enrol } from './parts/console-world.ts'
import { idOf, ordering, publish } from './parts/furnished.ts'
import { serverOfOthers } from './parts/hostile.ts'
import { typeCode, typePassword } from './parts/signing-in.ts'
import { goToPage, OPERATOR_PAGES } from './parts/pages.ts'

/** A word that only records of the other organisation have. */
const THEIRS = 'Their own words'

const world = new ConsoleWorld()
let page: Page
let complaints: string[]
let authenticator: Authenticator
beforeAll(async () => {
  await world.start()
  ;({ page, complaints } = await world.open())
  authenticator = await enrol(page, world.invitation)
})
afterAll(() => world.stop())

const statusOf = (from: Page, method: string, path: string): Promise<number> =>
  from.evaluate<number>(
    `fetch('${path}', { method: '${method}', headers: { 'content-type': 'application/json' }, ${method === 'GET' ? '' : "body: '{}'"} }).then(({ status }) => status)`,
  )

const invited = async (emailAddress: string, role: string): Promise<string> =>
  String((await world.order('POST', '/v1/members', { emailAddress, role }))['invitationLink'])

/** What a session does with itself and its own account, whatever its role. */
const OF_ONESELF = /^\/v1\/(?:session|sessions|account|enrolments)(?:\/|$)/

const routesWhere = (isWanted: (method: string, path: string) => boolean) =>
  Object.values(operations)
    .map(([method, path]): [string, string] => [
      method,
      path.replaceAll(/\{\w+\}/g, 'x_00000000000000000000000000'),
    ])
    .filter(([method, path]) => !OF_ONESELF.test(path) && isWanted(method, path))

describe('who is not allowed to', () => {
  it('changes nothing from within the console: a viewer, on every route that changes something', async () => {
    const { page: viewer } = await world.open()
    await enrol(viewer, await invited('viewer@example.org', 'viewer'), 'Vera Viewer')
    const changing = routesWhere((method, path) => method !== 'GET' || path.startsWith('/v1/operator/'))
    expect(changing.length).toBeGreaterThan(40)
    for (const [method, path] of changing)
      expect([method, path, await statusOf(viewer, method, path)]).toEqual([method, path, 403])
    await viewer.context().close()
  })

  it('is no operator: an administrator, on every route of operators, and no page of theirs shows anything', async () => {
    for (const [method, path] of routesWhere((_, each) => each.startsWith('/v1/operator/')))
      expect([method, path, await statusOf(page, method, path)]).toEqual([method, path, 403])
    for (const path of [...OPERATOR_PAGES, `organisations/${world.organisation}`]) {
      await goToPage(page, world, path)
      expect(await page.getByRole('table').count(), path).toBe(0)
      expect(await page.locator('main form').count(), path).toBe(0)
    }
    expect(complaints).toEqual([])
  })
})

describe('a session', () => {
  it('that was stolen is ended by its owner, and shows the thief nothing more', async () => {
    expect(await page.evaluate('document.cookie')).not.toContain('vouchsafe')
    const { page: thief } = await world.open()
    await thief.context().addCookies(await page.context().cookies())
    await thief.goto(`${world.url}/console/members`)
    await thief.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()

    const { page: owner } = await world.open()
    await owner.goto(`${world.url}/console/account`)
    await typePassword(owner, world)
    await typeCode(owner, authenticator)
    const sessions = owner.getByRole('table', { name: 'Where you are signed in' })
    await sessions.getByRole('button', { name: 'End' }).first().click()
    await expect.poll(() => sessions.getByRole('button', { name: 'End' }).count()).toBe(0)

    await thief.getByRole('searchbox').fill('a')
    await thief.getByRole('dialog', { name: 'Your session is over' }).waitFor()
    await thief.goto(`${world.url}/console/members`)
    await thief.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await thief.content()).not.toContain('Ada Lovelace')
    await thief.context().close()
    await page.context().clearCookies()
    await page.context().addCookies(await owner.context().cookies())
    await owner.context().close()
  })

  it('of somebody who became a viewer changes nothing more, and what was typed is still there', async () => {
    const { page: joan } = await world.open()
    await enrol(joan, await invited('joan@example.org', 'admin'), 'Joan Clarke')
    await joan.goto(`${world.url}/console/schemas/new`)
    await joan.getByLabel('Name', { exact: true }).fill('too late')
    await joan.getByLabel('Attribute 1').fill('name')
    const { items } = await world.order('GET', '/v1/members?q=joan')
    const [member = {}] = items as readonly Readonly<Record<string, unknown>>[]
    await world.order('POST', `/v1/members/${idOf(member)}`, { role: 'viewer' })
    await joan.getByRole('button', { name: 'Publish for ever' }).click()
    await joan.getByRole('alert').waitFor()
    expect(await joan.getByLabel('Name', { exact: true }).inputValue()).toBe('too late')
    expect(await world.order('GET', '/v1/schemas?q=too')).toMatchObject({ total: 0 })
    await joan.reload()
    await joan.getByText('You may look at everything and change nothing.').waitFor()
    await world.order('DELETE', `/v1/members/${idOf(member)}`)
    await joan.reload()
    await joan.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await joan.content()).not.toContain('Joan Clarke')
    await joan.context().close()
  })

  it('that has ended shows nothing of what it saw, from a page that the browser kept neither', async () => {
    const { page: alan } = await world.open()
    await enrol(alan, await invited('alan@example.org', 'admin'), 'Alan Turing')
    await alan.goto(`${world.url}/console/members`)
    await alan.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
    await alan.goto('about:blank')
    await alan.context().clearCookies()
    await alan.goBack()
    await alan.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await alan.content()).not.toContain('Ada Lovelace')
    await alan.context().close()
  })
})

describe('an id of another organisation', () => {
  it('shows nothing, in whichever address it stands', async () => {
    const other = idOf(await world.order('POST', '/v1/operator/tenants', { name: THEIRS }))
    await expect
      .poll(async () => (await world.order('GET', `/v1/operator/tenants/${other}`))['registered'])
      .toBe(true)
    const order = ordering(world, other)
    const { schemaId, definitionId, templateId } = await publish(order)
    const externalId = THEIRS
    const invitation = await order('POST', '/v1/connections/invitations', { externalId })
    const item = {
      idempotencyKey: THEIRS,
      connectionId: 'con_2hxq5m8n1p4r7t0v3x6z9b2d5f',
      credentialDefinitionId: definitionId,
      attributes: { name: THEIRS, age: '1', expiresAt: '1900000000' },
    }
    const job = await order('POST', '/v1/credentials/offers', { items: [item] })
    const wallet = await order('POST', '/v1/wallets', { externalId })
    const ids = [schemaId, definitionId, templateId, idOf(job), idOf(wallet), other].concat(
      String(invitation['invitationId'] ?? invitation['id']),
    )
    const seen: string[] = []
    const hear = async (response: { url: () => string; text: () => Promise<string> }): Promise<void> => {
      if (!response.url().includes('/v1/')) return
      const text = await response.text().catch(() => '')
      if (text.includes(THEIRS)) seen.push(response.url())
    }
    const listener = (response: Parameters<typeof hear>[0]) => void hear(response)
    page.on('response', listener)
    onTestFinished(() => void page.off('response', listener))
    for (const address of ADDRESSES) {
      for (const id of ids) {
        await goToPage(page, world, address.replace(':id', id))
        expect(await page.locator('body').innerText(), address).not.toContain(THEIRS)
      }
    }
    expect(seen).toEqual([])
    expect(complaints).toEqual([])
  }, 180_000)
})

/** Every address of a page that takes an id, of the list of pages and in queries. */
const ADDRESSES = [
  ...readFileSync(new URL('../../../console/src/pages.ts', import.meta.url), 'utf8').matchAll(
    /'\/console\/([\w/]+\/:id)'/g,
  ),
]
  .map(([, address = '']) => address)
  .concat([
    'credentials?connectionId=:id',
    'credentials?credentialDefinitionId=:id',
    'proofs?connectionId=:id',
    'proofs?proofTemplateId=:id',
    'deliveries?recordId=:id',
    'connections?q=:id',
    'credentials/new?connectionId=:id',
    'proofs/new?connectionId=:id',
    'definitions/new?schema=:id',
  ])

describe('a page of somebody else', () => {
  it('changes nothing, not even from a port beside ours, to which the browser sends our cookies', async () => {
    const elsewhere = await serverOfOthers('<title>elsewhere</title><form method="post"></form>')
    onTestFinished(() => void elsewhere.server.close())
    for (const base of [elsewhere.url, elsewhere.neighbour]) {
      const { page: other } = await world.open()
      await other.context().addCookies(await page.context().cookies())
      await other.goto(base)
      const reading = `fetch('${world.url}/v1/members', { credentials: 'include' }).then(() => 'read', () => 'refused')`
      expect(await other.evaluate(reading)).toBe('refused')
      const answered = other.waitForResponse((response) => response.url().endsWith('/v1/schemas'))
      const blind = `fetch('${world.url}/v1/schemas', { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{"name":"foreign","version":"1.0","attributes":["expiresAt"]}' }).then(() => 'sent', () => 'refused')`
      await other.evaluate(blind)
      expect([401, 403, 415]).toContain((await answered).status())
      const posted = other.waitForResponse((response) => response.url().endsWith('/v1/webhook/test'))
      await other.evaluate(
        `(() => { const form = document.forms[0]; form.action = '${world.url}/v1/webhook/test'; form.submit() })()`,
      )
      expect([401, 403, 415]).toContain((await posted).status())
      await other.context().close()
    }
    expect(await world.order('GET', '/v1/schemas?q=foreign')).toMatchObject({ total: 0 })
  })

  it('cannot reach into the console through a window that it opened', async () => {
    const elsewhere = await serverOfOthers('<title>elsewhere</title>')
    onTestFinished(() => void elsewhere.server.close())
    const { page: other } = await world.open()
    await other.context().addCookies(await page.context().cookies())
    await other.goto(elsewhere.neighbour)
    const opening = other.waitForEvent('popup')
    await other.evaluate(`window.theirs = window.open('${world.url}/console/members')`)
    const opened = await opening
    await opened.getByRole('heading', { level: 1 }).first().waitFor()
    const reach = `(() => { try { return String(theirs.document.title) } catch { return 'refused' } })()`
    expect(['refused', '']).toContain(await other.evaluate(reach))
    expect(await opened.evaluate('window.opener === null')).toBe(true)
    await other.context().close()
  })
})
