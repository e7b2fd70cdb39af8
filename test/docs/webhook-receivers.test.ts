import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Outbound } from '../../src/egress/outbound.ts'
import { SignedSender } from '../../src/webhooks/sender.ts'
import { signatureOf } from '../../src/webhooks/signature.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const run = promisify(execFile)
const page = readFileSync(new URL('../../docs/tenants/webhooks.md', import.meta.url), 'utf8')
const codeOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''
const folder = temporaryFolder('vouchsafe-receivers')

const nowSeconds = 1_800_000_000
const body = '{"id":"evt_1","name":"Zoë"}'
const signed = (secrets: readonly string[], seconds = nowSeconds) =>
  signatureOf(body, secrets, seconds * 1_000)

/** Header, and whether a receiver that knows `svc_whsec_a` takes it. */
const cases: readonly (readonly [string, boolean])[] = [
  [signed(['svc_whsec_a']), true],
  [signed(['svc_whsec_new', 'svc_whsec_a']), true],
  [signed(['svc_whsec_a', 'svc_whsec_old']), true],
  [signed(['svc_whsec_b']), false],
  [signed(['svc_whsec_a'], nowSeconds - 300), true],
  [signed(['svc_whsec_a'], nowSeconds - 301), false],
  [signed(['svc_whsec_a'], nowSeconds + 301), false],
  [signed(['svc_whsec_a']).replace('t=1', 't=2'), false],
  [`t=${nowSeconds}`, false],
  [`t=${nowSeconds},v1=`, false],
  [`t=${nowSeconds},v1=zz`, false],
  ['v1=00', false],
  ['t=x,v1=00', false],
  ['', false],
]
const expected = cases.map(([, genuine]) => genuine)
const given = JSON.stringify({ headers: cases.map(([header]) => header), body, nowSeconds })

it('the receiver in JavaScript takes what the service signs, and nothing else', async () => {
  const module = join(folder, 'receiver.mjs')
  writeFileSync(module, codeOf('js'))
  const { isGenuine } = (await import(module)) as {
    readonly isGenuine: (header: string, body: string, secret: string, now: number) => boolean
  }
  expect(cases.map(([header]) => isGenuine(header, body, 'svc_whsec_a', nowSeconds))).toEqual(expected)
})

const whole = ['plain', 'express', 'fastify'] as const

it.each(whole)('the whole receiver for %s takes what is genuine once, and nothing else', async (name) => {
  // Where the packages are found from, and nothing else looks.
  const beside = mkdtempSync(join(import.meta.dirname, `../../node_modules/.receiver-${name}-`))
  try {
    writeFileSync(join(beside, 'genuine.mjs'), codeOf('js'))
    writeFileSync(join(beside, 'receiver.mjs'), codeOf(`js ${name}`))
    const { receiver } = (await import(join(beside, 'receiver.mjs'))) as {
      readonly receiver: (secret: string, handle: (event: unknown) => void) => Receiver
    }
    const handled: unknown[] = []
    const url = await listening(receiver('svc_whsec_a', (event) => handled.push(event)))
    const outbound = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 4 })
    const sender = new SignedSender(outbound, () => Date.now())
    const send = async (secret: string) => {
      const post = {
        url: `${url}/hooks`,
        body,
        secrets: [secret],
        eventId: 'evt_1',
        eventType: 'x',
        attempt: 1,
      }
      return (await sender.send(post, new AbortController().signal)).status
    }
    expect([await send('svc_whsec_a'), await send('svc_whsec_b'), await send('svc_whsec_a')]).toEqual([
      204, 400, 204,
    ])
    expect(handled).toEqual([JSON.parse(body)])
    outbound[Symbol.dispose]()
  } finally {
    for (const close of closing.splice(0)) await close()
    rmSync(beside, { recursive: true })
  }
})

type Receiver =
  | Server
  | { readonly listen: (port: number, host: string, done: () => void) => Server }
  | { readonly listen: (of: object) => Promise<string>; readonly close: () => Promise<void> }
const closing: (() => Promise<unknown> | void)[] = []

/** Each of the three listens in a way of its own. */
const listening = async (app: Receiver): Promise<string> => {
  if ('addContentTypeParser' in app) {
    const fastify = app as Extract<Receiver, { close: () => Promise<void> }>
    closing.push(() => fastify.close())
    return fastify.listen({ port: 0, host: '127.0.0.1' })
  }
  const server = await new Promise<Server>((resolve) => {
    const listen = (app as Server).listen.bind(app) as (
      port: number,
      host: string,
      done: () => void,
    ) => Server
    const opened = listen(0, '127.0.0.1', () => resolve(opened))
  })
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('the receiver in Python does so too', async () => {
  const program = `${codeOf('python')}
import json, sys
given = json.loads(sys.argv[1])
print(json.dumps([is_genuine(header, given["body"].encode(), "svc_whsec_a", given["nowSeconds"]) for header in given["headers"]]))
`
  const { stdout } = await run('python3', ['-c', program, given])
  expect(JSON.parse(stdout)).toEqual(expected)
})
