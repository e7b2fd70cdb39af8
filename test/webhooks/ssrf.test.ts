import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Names, systemNames } from '../../src/egress/names.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { SignedSender } from '../../src/webhooks/sender.ts'
import { startNameServer } from '../egress/name-server.ts'

/** Names that an attacker has, and where they lead. */
const names: Readonly<Record<string, readonly string[]>> = {
  'loopback.attacker.example': ['127.0.0.1'],
  'loopback6.attacker.example': ['::1'],
  'inside.attacker.example': ['10.0.0.5'],
  'metadata.attacker.example': ['169.254.169.254'],
  'mapped.attacker.example': ['::ffff:127.0.0.1'],
  'translated.attacker.example': ['64:ff9b::7f00:1'],
  'unspecified.attacker.example': ['0.0.0.0'],
  'link.attacker.example': ['fe80::1'],
  'unique.attacker.example': ['fd00::1'],
  'shared.attacker.example': ['100.64.0.1'],
  'broadcast.attacker.example': ['255.255.255.255'],
  'multicast.attacker.example': ['224.0.0.251'],
  'many.attacker.example': ['127.0.0.1', '::1', '10.0.0.5'],
}

/** Every way in which this machine, or the network around it, has been spelled to get past a check. */
const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.000.000.001',
  '0177.0.0.1',
  '0177.1',
  '0x7f.0.0.1',
  '0x7f.1',
  '0x7f000001',
  '0x7F000001',
  '2130706433',
  '017700000001',
  '127.0.0.1.',
  '127.0.0.255',
  '127.127.127.127',
  '0',
  '0.0.0.0',
  '0x0',
  '00',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'anything.localhost',
  'ｌｏｃａｌｈｏｓｔ',
  'ip6-localhost',
  '10.0.0.1',
  '10.1',
  '167772161',
  '172.16.0.1',
  '192.168.0.1',
  '0xc0a80001',
  '3232235521',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '100.100.100.200',
  '198.18.0.1',
  '255.255.255.255',
  '224.0.0.1',
  ...Object.keys(names),
] as const

/** Around the host: user names that look like one, backslashes, fragments, what an address must not hold. */
const around = [
  (port: number) => `https://public.example@127.0.0.1:${port}/`,
  (port: number) => `https://public.example:443@127.0.0.1:${port}/`,
  (port: number) => `https://127.0.0.1:${port}\\@public.example/`,
  (port: number) => `https:127.0.0.1:${port}`,
  (port: number) => `https:/127.0.0.1:${port}/`,
  (port: number) => `https:///127.0.0.1:${port}/`,
  (port: number) => `https://127.0.0.1:${port}#@public.example/`,
  (port: number) => `https://127.0.0.1:${port}?@public.example/`,
  (port: number) => ` https://127.0.0.1:${port}/ `,
  (port: number) => `https://127.0.0.1\t:${port}/`,
  (port: number) => `HTTPS://127.0.0.1:${port}/`,
  (port: number) => `http://127.0.0.1:${port}/`,
  (port: number) => `//127.0.0.1:${port}/`,
  (port: number) => `ftp://127.0.0.1:${port}/`,
  (port: number) => `gopher://127.0.0.1:${port}/_x`,
  (port: number) => `ws://127.0.0.1:${port}/`,
  () => 'file:///etc/passwd',
  () => 'data:text/plain,hello',
  () => 'unix:/var/run/docker.sock',
  () => '',
]

const sockets = new Set<Socket>()
const seen: string[] = []
const server = createServer((socket) => {
  seen.push(String(socket.localAddress))
  sockets.add(socket)
})
let port = 0
beforeAll(async () => {
  // Every address of this machine, of both families.
  server.listen(0, '::')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const never = new AbortController().signal
const post = (url: string) => ({ url, body: '{}', secrets: ['s'], eventId: 'e', eventType: 't', attempt: 1 })

/** Over name servers that answer as given, each time the next of several answers. */
const strictSender = async (addresses: Readonly<Record<string, readonly string[]>>) => {
  const nameServer = await startNameServer(addresses)
  const outbound = new Outbound(
    { allowPrivateTargets: false, socketsPerHostMax: 4 },
    new Names({ ...systemNames, servers: nameServer.servers }),
  )
  return {
    sender: new SignedSender(outbound, () => Date.now()),
    [Symbol.dispose]: () => {
      outbound[Symbol.dispose]()
      nameServer[Symbol.dispose]()
    },
  }
}

describe('no webhook', () => {
  it('goes to an address inside, however it is spelled', async () => {
    const { sender, ...opened } = await strictSender(names)
    const urls = [...hosts.map((host) => `https://${host}:${port}/`), ...around.map((urlOf) => urlOf(port))]
    expect(urls.length).toBeGreaterThanOrEqual(60)
    const answers = await Promise.all(
      urls.map(async (url) => [url, (await sender.send(post(url), never)).status] as const),
    )
    opened[Symbol.dispose]()
    expect(answers.filter(([, status]) => status !== null)).toEqual([])
    expect(seen).toEqual([])
  }, 60_000)

  it('goes to a name that leads outside when it is judged and inside when it is called', async () => {
    // Rebinding: whatever is looked up later, the connection goes to an address of the one answer that was judged.
    const moving: Record<string, readonly string[]> = { 'moving.attacker.example': ['93.184.216.34'] }
    const { sender, ...opened } = await strictSender(moving)
    const url = `https://moving.attacker.example:${port}/`
    const over = new AbortController()
    const first = sender.send(post(url), over.signal).catch(() => null)
    moving['moving.attacker.example'] = ['127.0.0.1']
    const second = sender.send(post(url), over.signal).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, 500))
    over.abort()
    await Promise.all([first, second])
    opened[Symbol.dispose]()
    expect(seen).toEqual([])
  }, 60_000)

  it('follows a redirect to an address inside', async () => {
    const trusting = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 4 })
    const redirecting = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.end(
          `HTTP/1.1 307 Gone there\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`,
        ),
      )
    })
    redirecting.listen(0, '127.0.0.1')
    await once(redirecting, 'listening')
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`
    const { status } = await new SignedSender(trusting, () => Date.now()).send(post(url), never)
    trusting[Symbol.dispose]()
    redirecting.close()
    expect(status).toBe(307)
    expect(seen).toEqual([])
  })
})
