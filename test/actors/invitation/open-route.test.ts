import { describe, expect, it } from 'vitest'
import { renderSVG } from 'uqr'
import { openInvitationRoute } from '../../../src/actors/invitation/open-route.ts'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { requestHead } from '../../http/parts/request-head.ts'

const id = 'inv_00aaaaaaaa'
const record = {
  status: 'open',
  tenant: 'ten_1',
  label: 'Registry',
  alias: null,
  multiUse: false,
  externalId: null,
  ownSeed: 'seed',
  ownKey: createKeyPair().publicKeyBase58,
  winner: null,
}
const address = `https://here.example/i/${id}`

type Headers = Readonly<Record<string, string>>
/** A browser that does not say that it navigates. */
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const wallet = { accept: '*/*' }

const open = async (headers: Headers, more: object = {}, query = '', at = id) => {
  const read = (actor: string) => (actor === id ? { ...record, ...more } : refuse('not_found', 'r'))
  const route = openInvitationRoute({
    actors: actorsThat({ read }),
    publicUrl: () => 'https://here.example',
  })
  const head = requestHead(headers, { path: `/i/${at}`, query })
  const answer = await route.raw?.handle({ params: { id: at }, body: new Uint8Array(), head })
  if (answer === undefined) throw new Error('the route does not answer')
  return 'problem' in answer ? answer : { ...answer, text: String(answer.body) }
}
const page = async (more: object = {}, query = '', headers: Headers = {}) => {
  const answer = await open({ ...browser, ...headers }, more, query)
  if ('problem' in answer) throw new Error(answer.reason)
  return answer
}

describe('the address of an invitation', () => {
  it('is a page in a browser: who invites, a code of the short address, a link for a wallet there', async () => {
    const { status, headers, text } = await page()
    expect([status, headers['Content-Type'], headers['Cache-Control'], headers['Referrer-Policy']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
      'no-referrer',
    ])
    expect(text).toContain('<h1>Invitation from Registry</h1>')
    const [shapes] = /<path[^>]*>/.exec(renderSVG(address, { ecc: 'M', border: 4 })) ?? []
    expect(text).toContain(shapes)
    expect(text).toMatch(/href="didcomm:\/\/here\.example\/i\/inv_00aaaaaaaa\?oob=eyJ[\w-]+"/)
  })

  it('loads nothing, runs nothing, and stands in no frame', async () => {
    const { headers, text } = await page()
    expect(headers['Content-Security-Policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/)
    expect(headers['Content-Security-Policy']).toContain("frame-ancestors 'none'")
    expect(text).not.toMatch(/<script|src=|style=|url\(/)
  })

  it('shows a name as text, and never what stands behind the question mark', async () => {
    const { text } = await page({ alias: `<script>"'&` }, 'oob=PHNjcmlwdD4&x=<script>')
    expect(text).toContain('Invitation from &lt;script&gt;&quot;&#39;&amp;')
    expect(text).not.toContain('PHNjcmlwdD4')
    expect(text).not.toContain('<script')
  })

  it('says in a browser that it was used, and shows no code', async () => {
    const { text } = await page({ winner: 'con_00aaaaaaaa' })
    expect(text).toContain('has been used')
    expect(text).not.toContain('<svg')
    const many = await page({ winner: null, multiUse: true })
    expect(many.text).toContain('<svg')
  })

  it('may be kept by a browser where it is for many, and is asked for again before it is shown', async () => {
    const one = await page()
    expect([one.headers['Cache-Control'], one.headers['ETag']]).toEqual(['no-store', undefined])
    const many = await page({ multiUse: true })
    expect(many.headers['Cache-Control']).toBe('no-cache')
    const known = { 'if-none-match': String(many.headers['ETag']) }
    const unchanged = await page({ multiUse: true }, '', known)
    expect([unchanged.status, unchanged.text, unchanged.headers['ETag']]).toEqual([
      304,
      '',
      many.headers['ETag'],
    ])
    const renamed = await page({ multiUse: true, alias: 'Reception' }, '', known)
    expect([renamed.status, renamed.text.includes('Reception')]).toEqual([200, true])
    expect(await open({ ...browser, ...known }, { multiUse: true, ownSeed: null })).toMatchObject({
      status: 404,
    })
  })

  it('leads a wallet to all of it', async () => {
    const answer = await open(wallet)
    if ('problem' in answer) throw new Error(answer.reason)
    const location = String(answer.headers['Location'])
    expect([answer.status, answer.text, location.startsWith(`${address}?oob=`)]).toEqual([302, '', true])
    const { searchParams, search } = new URL(location)
    const invitation = Buffer.from(searchParams.get('oob') ?? '', 'base64url').toString()
    expect(JSON.parse(invitation)).toMatchObject({ '@id': id, label: 'Registry' })
    const followed = await open(wallet, {}, search.slice(1))
    if ('problem' in followed) throw new Error(followed.reason)
    expect([followed.status, followed.headers['Content-Type'], followed.text]).toEqual([
      200,
      'application/json',
      invitation,
    ])
  })

  it.each([
    ['that is erased', { ownSeed: null }, id],
    ['of nobody', {}, 'inv_00bbbbbbbb'],
    ['of a connection', {}, 'con_00aaaaaaaa'],
    ['of the mediator, which its app alone can open', {}, '4f8t2kq0x6m1v9z3c5r7w2y8h1'],
    ['of nothing', {}, '..'],
  ])('%s leads nowhere, and a browser shows that', async (_, more, at) => {
    expect(await open(wallet, more, '', at)).toMatchObject({ problem: 'not_found' })
    expect(await open(wallet, more, 'oob=eyJ4IjoxfQ', at)).toMatchObject({ problem: 'not_found' })
    const shown = await open(browser, more, 'oob=eyJ4IjoxfQ', at)
    if ('problem' in shown) throw new Error('there is no page')
    expect([shown.status, shown.headers['Content-Type'], shown.headers['Cache-Control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(shown.text).toContain('<h1>There is no invitation here</h1>')
    expect(shown.text).not.toMatch(/<svg|eyJ/)
  })
})
