import { execFile } from 'node:child_process'
import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { atLength } from '../at-length.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openTerminalWallet } from '../terminal-wallet.ts'
import { offerPerson } from './mediated-phone.ts'
import { type Json, publishPerson, untilState, WAIT } from './running-service.ts'
import { embeddedService, type ServiceUnderTest } from './service-under-test.ts'

const backend = fileURLToPath(new URL('../../sdk/terminal/organisation.ts', import.meta.url))

let service: ServiceUnderTest

/** As `npm start` runs it: a wallet that fetches its messages needs no way to private addresses. */
beforeAll(async () => {
  service = await embeddedService(async () => ({ VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'false' }))
})
afterAll(() => service?.close())

const terminal = (words: readonly string[]) =>
  openTerminalWallet({ apiKey: service.apiKey, url: service.url() }, words, WAIT)

/** A word of the organisation in the other terminal. */
const organisation = async (...words: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', backend, ...words],
    { env: { ...process.env, API_KEY: service.apiKey, BASE_URL: service.url() } },
  )
  return stdout.trim()
}

const connected = async (wallet: ReturnType<typeof terminal>): Promise<string> => {
  await wallet.shows('Paste an invitation link, or say help.')
  const { json } = await service.send('POST', '/v1/connections/invitations', {})
  wallet.type(String(json['invitationUrl']))
  await wallet.shows(', completed')
  const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
  return vi.waitFor(async () => {
    const [found] = (await service.send('GET', path)).json['items'] as Json[]
    expect(found).toBeDefined()
    return String(found?.['id'])
  }, WAIT)
}

it('a person in a terminal receives a credential and proves it, and finds it again', async () => {
  const person = await publishPerson(service)
  const folder = join(temporaryFolder('vouchsafe-terminal'), 'wallet')
  const wallet = terminal(['--folder', folder])
  const connectionId = await connected(wallet)
  const offerId = await offerPerson(service, person.definitionId, connectionId, 'Ada')
  await wallet.shows('* An offer: name: Ada, age: 36')
  wallet.type('accept')
  await wallet.shows('* Received person: name: Ada, age: 36')
  await untilState(service, `/v1/credentials/${offerId}`, 'done')

  const body = { connectionId, proofTemplateId: person.templateId }
  const proof = await service.send('POST', '/v1/proofs/request', body)
  await wallet.shows('* A request: Entry. Say show, present or refuse.')
  wallet.type('show')
  await wallet.shows('that age >= 18, without seeing it ← person: name: Ada')
  wallet.type('present')
  await wallet.shows('* Entry (done)')
  expect(await untilState(service, `/v1/proofs/${String(proof.json['id'])}`, 'done')).toMatchObject({
    verified: true,
  })
  expect(await wallet.quit()).toBe(0)

  const again = terminal(['--folder', folder])
  await again.shows('Paste an invitation link')
  again.type('credentials')
  await again.shows('1. person: name: Ada')
  expect(await again.quit()).toBe(0)
})

it('what a person accepts arrives once, whenever the process is killed', async () => {
  const { definitionId } = await publishPerson(service)
  const folder = join(temporaryFolder('vouchsafe-terminal'), 'wallet')
  const first = terminal(['--folder', folder])
  const connectionId = await connected(first)
  await first.quit()
  const delaysMs = atLength([0, 25, 100], [0, 10, 25, 50, 100, 200])
  for (const [index, delayMs] of delaysMs.entries()) {
    const offerId = await offerPerson(service, definitionId, connectionId, `Ada ${index}`)
    const killed = terminal(['--folder', folder])
    await killed.shows(`* An offer: name: Ada ${index}`)
    killed.type('accept')
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    await killed.kill()
    const next = terminal(['--folder', folder])
    await next.shows('Paste an invitation link')
    next.type('accept')
    await untilState(service, `/v1/credentials/${offerId}`, 'done')
    await next.quit()
  }
  const last = terminal(['--folder', folder])
  await last.shows('Paste an invitation link')
  last.type('credentials')
  await last.shows(`${delaysMs.length}. person: name: Ada`)
  expect(last.shown().match(/\. person: name: Ada \d/g)).toHaveLength(delaysMs.length)
  expect(await last.quit()).toBe(0)
})

it('the walk through its README ends in a proof, with commands alone', async () => {
  const page = readFileSync(new URL('../../sdk/terminal/README.md', import.meta.url), 'utf8')
  const said = [...page.matchAll(/^ {4}npm run --silent organisation -- (\w+)/gm)].map(([, word]) => word)
  expect([said, page.includes('curl')]).toEqual([['invite', 'offer', 'ask', 'proofs'], false])
  const person = await publishPerson(service)
  const wallet = terminal(['--folder', join(temporaryFolder('vouchsafe-terminal'), 'wallet')])
  await wallet.shows('Paste an invitation link, or say help.')
  wallet.type(await organisation('invite'))
  await wallet.shows(', completed')
  await organisation('offer', person.definitionId, 'name=Ada', 'age=36')
  await wallet.shows('* An offer: name: Ada, age: 36')
  wallet.type('accept')
  await wallet.shows('* Received person: name: Ada, age: 36')
  await organisation('ask', person.templateId)
  await wallet.shows('* A request: Entry. Say show, present or refuse.')
  wallet.type('present')
  await wallet.shows('* Entry (done)')
  expect(await organisation('proofs')).toMatch(/done, verified, .*"name":"Ada"/)
  expect(await wallet.quit()).toBe(0)
})

it('a wallet that is damaged can be reset from the terminal, and begins anew', async () => {
  const folder = join(temporaryFolder('vouchsafe-terminal'), 'wallet')
  const first = terminal(['--folder', folder])
  await first.shows('Paste an invitation link')
  await first.quit()
  const file = join(folder, 'wallet.sqlite')
  truncateSync(file, Math.floor(statSync(file).size / 2))
  const broken = terminal(['--folder', folder])
  await broken.shows('is not open. Say: reset for good')
  broken.type('reset for good')
  await broken.shows('The wallet is empty. Start it again.')
  const again = terminal(['--folder', folder])
  await again.shows('Paste an invitation link')
  expect(await again.quit()).toBe(0)
})
