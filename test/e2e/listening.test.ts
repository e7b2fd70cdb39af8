import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Program } from '../../tools/harness/program.ts'
import { eventually } from '../eventually.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { isGenuine, startReceiver } from '../webhooks/receiver.ts'
import { type Offers, openOffers } from './ignored-offers.ts'
import type { Json } from './running-service.ts'
import { vouchsafe } from './vouchsafe-command.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

describe('vouchsafe listen', () => {
  let at: Offers
  let endpoint: Receiver
  let secretOfEndpoint = ''
  const secretFile = join(temporaryFolder('listening'), 'listen-secret')
  beforeAll(async () => {
    at = await openOffers()
    endpoint = await startReceiver()
    const set = { tenant: at.tenant, url: endpoint.url, eventTypes: null }
    secretOfEndpoint = String((await at.order('webhook set', set))['secret'])
  }, 240_000)
  afterAll(async () => {
    await endpoint?.[Symbol.asyncDispose]()
    await at?.close()
  })

  const access = (key = at.apiKey) => ({ API_KEY: key, BASE_URL: at.url() })

  /** In a terminal of its own, connected. */
  const listening = async (words: readonly string[], key?: string) => {
    const env = { ...process.env, ...access(key) }
    const program = new Program(['src/cli.ts', '--json', 'listen', ...words], { env, keepsOutput: true })
    onTestFinished(() => program.kill())
    await eventually(() => expect(program.output + program.shown).toContain('"connected"'))
    const lines = () =>
      program.output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Json)
    return { program, outcomes: () => lines().filter(({ outcome }) => outcome !== undefined) }
  }
  const receiverHere = async (): Promise<Receiver> => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    return receiver
  }

  it('posts what happens to a receiver on this machine, and what is made up to nobody else', async () => {
    const receiver = await receiverHere()
    const { program, outcomes } = await listening(['--forward', receiver.url, '--secret-file', secretFile])
    const offered = await at.offer('heard')
    await at.cancel(offered)
    const happened = [`evt_${offered}_1`, `evt_${offered}_2`]
    await eventually(() => expect(receiver.ids()).toEqual(happened))

    const { code, answer } = await vouchsafe(access(), ['trigger', 'proof.state_changed'])
    const madeUp = String(answer['id'])
    expect([code, answer['listeners']]).toEqual([0, 1])
    await eventually(() => expect(receiver.ids()).toEqual([...happened, madeUp]))

    const secret = readFileSync(secretFile, 'utf8').trim()
    const byStripe = receiver.arrived.map(({ headers, body }) =>
      Stripe.webhooks.constructEvent(body, String(headers['x-svc-signature']), secret),
    )
    expect(byStripe.map(({ id }) => id)).toEqual([...happened, madeUp])
    expect(receiver.arrived.map((each) => isGenuine(each, secretOfEndpoint))).toEqual([false, false, false])
    await eventually(() => expect(outcomes()).toHaveLength(3))
    expect(outcomes().map(({ id, recordId, status }) => [id, recordId, status])).toEqual([
      ...happened.map((id) => [id, offered, 200]),
      [madeUp, expect.stringMatching(/^pro_test/), 200],
    ])

    // The endpoint has the same bodies with signatures of its own, and nothing of what was made up.
    const delivered = () => endpoint.arrived.filter(({ body }) => body.includes(offered))
    await eventually(() => expect(new Set(delivered().map(({ body }) => body)).size).toBe(2))
    const heard = receiver.arrived.slice(0, 2).map(({ body }) => body)
    expect(heard.toSorted()).toEqual([...new Set(delivered().map(({ body }) => body))].toSorted())
    expect(delivered().every((each) => isGenuine(each, secretOfEndpoint))).toBe(true)
    expect(endpoint.ids()).not.toContain(madeUp)
    const { json } = await at.send('GET', '/v1/webhook/deliveries?pageSize=100')
    const listed = (json['items'] as readonly Json[]).map(({ eventId }) => eventId)
    expect([listed.includes(happened[0]), listed.includes(madeUp)]).toEqual([true, false])

    program.signal('SIGINT')
    const ended = await program.finished
    expect(ended.code).toBe(0)
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/svc_whsec_|svc_sk_/)
  }, 240_000)

  it('goes on behind the event that it is told, as far as the stream reaches', async () => {
    const first = await listening([])
    const offered = await at.offer('before')
    const [before, missed] = [`evt_${offered}_1`, `evt_${offered}_2`]
    await eventually(() => expect(first.program.output).toContain(before))
    first.program.signal('SIGINT')
    await first.program.finished
    await at.cancel(offered)
    const again = await listening(['--after', before])
    // On another node of a cluster nobody may have listened: that is said.
    await eventually(() => expect(again.program.output).toMatch(new RegExp(`"${missed}"|"gap"`)))
    expect(again.program.output).not.toContain(`"${before}"`)
    again.program.signal('SIGINT')
    expect((await again.program.finished).code).toBe(0)
  }, 240_000)

  it('ends when its key is revoked, and says so', async () => {
    const { id, key } = await at.order('key create', { tenant: at.tenant, label: 'x' })
    const { program } = await listening([], String(key))
    await at.order('key revoke', { keyId: id })
    const { code, stderr } = await program.finished
    const said = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as Json
    expect([code, said]).toEqual([1, { failed: ['The API key is unknown, or was revoked.'] }])
  }, 240_000)
})
