import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from 'commander'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen, type Listening, registerListen } from '../../src/cli/listen.ts'
import { createOutput } from '../../src/cli/output.ts'
import { eventually } from '../eventually.ts'
import { isGenuine, startReceiver } from '../webhooks/receiver.ts'
import {
  begun,
  bodyOf,
  frame,
  FRAMES_MAX,
  LARGE,
  madeUp,
  muchTold,
  refusal,
  toldStream,
} from './listen/told-stream.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

const secret = `svc_whsec_listen_${'a'.repeat(43)}`
const patience = { returnMs: 10, unanswered: { firstMs: 5, maxMs: 20 }, leastMs: 5 }

const receiving = async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver[Symbol.asyncDispose]())
  return receiver
}

/** `vouchsafe listen` in this process. */
const listening = (given: Pick<Listening, 'access'> & Partial<Listening>) => {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const said = { out: '', err: '' }
  const output = createOutput(
    false,
    (text) => void (said.out += text),
    (text) => void (said.err += text),
  )
  const all = { receiving: null, events: null, after: null, signal: leaving.signal, patience, ...given }
  const over = listen(all, output)
  void over.catch(() => undefined)
  const interrupt = async (): Promise<void> => {
    leaving.abort()
    await over
  }
  return { said, over, interrupt }
}

describe('vouchsafe listen', () => {
  it('posts each event once, exactly as a webhook, with a signature that stripe takes for genuine', async () => {
    const receiver = await receiving()
    const { access } = await toldStream(
      (response) => begun(response, frame('evt_con_1_1'), frame('evt_con_1_2')).end(),
      (response) => begun(response, frame('evt_con_1_2'), madeUp('evt_test_1'), frame('evt_con_1_3')),
    )
    const { said, interrupt } = listening({ access, receiving: { url: receiver.url, secret } })
    await eventually(() => expect(receiver.arrived).toHaveLength(4))
    await interrupt()
    expect(receiver.arrived.map(({ body }) => body)).toEqual(
      ['evt_con_1_1', 'evt_con_1_2', 'evt_test_1', 'evt_con_1_3'].map((id) => bodyOf(id)),
    )
    expect(receiver.arrived.filter((each) => isGenuine(each, secret))).toHaveLength(4)
    expect(receiver.arrived.filter((each) => isGenuine(each, `${secret}x`))).toEqual([])
    expect(receiver.arrived[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'vouchsafe-webhooks/1',
      'x-svc-event-id': 'evt_con_1_1',
      'x-svc-event-type': 'connection.state_changed',
      'x-svc-delivery-attempt': '1',
    })
    expect(said.out.trimEnd().split('\n')).toHaveLength(4)
    expect(said.out).toMatch(/^\S+Z {2}evt_con_1_1 {2}connection\.state_changed {2}con_1 {2}200 in \d+ ms\n/)
    expect(said.err).toContain('Within a minute the same command goes on with --after evt_con_1_3\n')
  })

  it('goes on when the receiver answers with an error, and tells nothing of secrets or of what was in the event', async () => {
    const receiver = await receiving()
    receiver.behaviour.answer = (_, response) => void response.writeHead(500).end('private words')
    const personal = { id: 'pro_1', disclosed: { person: { name: 'Ada Lovelace' } } }
    const { access } = await toldStream((response) =>
      begun(response, frame('evt_pro_1_1', 'proof.state_changed', personal), frame('evt_con_1_1')),
    )
    const { said, interrupt } = listening({ access, receiving: { url: receiver.url, secret } })
    await eventually(() => expect(said.out).toContain('evt_con_1_1'))
    await eventually(() => expect(said.out).toContain('the receiver answered 500; again in 1 s'))
    await interrupt()
    expect(said.err).toMatch(/\d events were not taken yet\.\n/)
    // Nothing stands before what has to come again.
    expect(said.err).not.toContain('--after')
    expect(`${said.out}${said.err}`).not.toMatch(/Ada|svc_sk_|svc_whsec_|private words/)
  })

  it('shows events and posts them nowhere, where it is told of no receiver; only those of the types that are wanted', async () => {
    const { access } = await toldStream((response) =>
      begun(response, frame('evt_con_1_1'), frame('evt_pro_1_1', 'proof.state_changed', { id: 'pro_1' })),
    )
    const { said, interrupt } = listening({ access, events: ['proof.state_changed'] })
    await eventually(() => expect(said.out).not.toBe(''))
    await interrupt()
    expect(said.out).toMatch(/^\S+Z {2}evt_pro_1_1 {2}proof\.state_changed {2}pro_1\n$/)
  })

  it('ends with a sentence when the key is revoked or the organisation suspended', async () => {
    for (const [status, reason] of [
      [401, 'The API key is unknown, or was revoked.'],
      [403, 'The organisation is suspended.'],
    ] as const) {
      const { access } = await toldStream(
        (response) => begun(response, frame('evt_con_1_1')).end(),
        refusal(status, 'The organisation is suspended.'),
      )
      await expect(listening({ access }).over).rejects.toThrow(reason)
    }
  })

  it('reads on while the receiver is slow, and keeps the order of each record', async () => {
    const receiver = await receiving()
    const held: (() => void)[] = []
    receiver.behaviour.answer = (_, response) => void held.push(() => response.end())
    const { access } = await toldStream((response) =>
      begun(
        response,
        ...Array.from({ length: 50 }, (_, at) => frame(`evt_con_1_${at}`)),
        frame('evt_con_2_1', undefined, { id: 'con_2' }),
      ),
    )
    const { interrupt } = listening({ access, receiving: { url: receiver.url, secret } })
    await eventually(() => expect(receiver.ids().toSorted()).toEqual(['evt_con_1_0', 'evt_con_2_1']))
    receiver.behaviour.answer = (_, response) => void response.end()
    for (const release of held) release()
    await eventually(() => expect(receiver.arrived).toHaveLength(51))
    await interrupt()
    expect(receiver.ids().filter((id) => id.startsWith('evt_con_1_'))).toEqual(
      Array.from({ length: 50 }, (_, at) => `evt_con_1_${at}`),
    )
  })

  it('ends soon however many events wait, and says where it goes on so that none of them is lost', async () => {
    const receiver = await receiving()
    receiver.behaviour.answer = ({ body }, response) => {
      if (!body.includes('evt_con_2_')) response.end()
    }
    const { answer, untilUnread } = muchTold((at) =>
      at === 0 ? frame('evt_con_1_0') : frame(`evt_con_2_${at}`, undefined, { ...LARGE, id: `con_2${at}` }),
    )
    const { access } = await toldStream(answer)
    const { said, interrupt } = listening({ access, receiving: { url: receiver.url, secret } })
    await eventually(() => expect(receiver.arrived).toHaveLength(5))
    expect(await untilUnread()).toBeLessThan(FRAMES_MAX)
    const startedMs = performance.now()
    await interrupt()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect(said.err).toMatch(/\d+ events were not taken yet\.\n.* --after evt_con_1_0\n/)
  })

  it('tries what is left when the service lets it in no more', async () => {
    const receiver = await receiving()
    const held: (() => void)[] = []
    receiver.behaviour.answer = (_, response) => void held.push(() => response.end())
    const { access } = await toldStream(
      (response) => begun(response, frame('evt_con_1_1')).end(),
      refusal(401, 'x'),
    )
    const { said, over } = listening({ access, receiving: { url: receiver.url, secret } })
    await eventually(() => expect(held).toHaveLength(1))
    setTimeout(() => held[0]?.(), 300)
    await expect(over).rejects.toThrow('revoked')
    expect(said.out).toContain('evt_con_1_1  connection.state_changed  con_1  200 in')
  })

  it('ends without a word when nobody reads what it shows', { timeout: 30_000 }, async () => {
    const { access } = await toldStream((response) => {
      begun(response)
      const more = setInterval(() => response.write(frame(`evt_con_1_${performance.now()}`)), 100)
      response.once('close', () => clearInterval(more))
    })
    const env = { ...process.env, BASE_URL: access.url, API_KEY: access.key }
    const child = spawn(process.execPath, ['src/cli.ts', 'listen'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let err = ''
    child.stderr.on('data', (text) => (err += String(text)))
    child.stdout.once('data', () => child.stdout.destroy())
    const [code] = (await once(child, 'exit')) as [number]
    expect([code, err]).toEqual([0, expect.not.stringMatching(/EPIPE|at .*\.ts/)])
  })

  it('refuses at once what cannot be meant', async () => {
    const register = (program: Command) => registerListen(program, {}, ['proof.state_changed'])
    const run = (...words: string[]) => vouchsafe([register], {}, ['listen', ...words])
    expect((await run('--events', 'proof.changed')).err).toContain('There is no type proof.changed')
    for (const url of ['ftp://localhost/', 'localhost:3000'])
      expect((await run('--forward', url)).err).toContain('must begin with http://')
    for (const url of ['http://a:b@localhost/', 'http://'])
      expect((await run('--forward', url)).err).toContain('cannot be posted to')
    expect((await run('--after', 'con_1')).err).toContain('no id of an event')
    expect(await run('--url', 'http://issuer.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not travel in clear') as string,
    })
    expect((await run()).err).toContain('Set API_KEY')
  })
})
