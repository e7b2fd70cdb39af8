import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reservePorts } from '../../../../src/ledger/sandbox/reserved-ports.ts'
import { dialerOf } from '../../../../tools/campaign/cluster/dialer.ts'
import { type Cut, type Links, openLinks } from '../../../../tools/campaign/cluster/links.ts'
import { Wiretap } from '../../../../tools/campaign/cluster/wiretap.ts'

const NODE = 'node-2'
const DIALER = 'node-1'

describe('the relay before a node', () => {
  let server: Server
  let links: Links
  let wiretap: Wiretap
  let relayPort: number
  /** What the node got, and its end of each connection. */
  let arrived = ''
  const ends: Socket[] = []
  const dialed: Socket[] = []

  const dial = async () => {
    const socket = connect(relayPort, '127.0.0.1')
    dialed.push(socket)
    const heard = { text: '', isClosed: false }
    socket.on('data', (bytes: Buffer) => (heard.text += bytes.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => (heard.isClosed = true))
    await once(socket, 'connect')
    return { socket, heard }
  }
  const joined = async () => {
    const end = await dial()
    end.socket.write('hello ')
    await expect.poll(() => arrived).toBe('hello ')
    return end
  }
  const cut = (one: Cut, from = DIALER, to = NODE) => links.cut(from, to, one)

  beforeEach(async () => {
    arrived = ''
    server = createServer((socket) => {
      ends.push(socket)
      socket.on('data', (bytes: Buffer) => (arrived += bytes.toString()))
      socket.on('error', () => undefined)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    relayPort = await reservePorts(1)
    const places = [{ node: NODE, port: relayPort, linkPort: () => port }]
    const pids = new Map([[DIALER, process.pid]])
    wiretap = new Wiretap(['welcome'])
    links = await openLinks(places, (from, to) => dialerOf(from, to, pids), wiretap)
  })
  afterEach(async () => {
    for (const socket of [...dialed.splice(0), ...ends.splice(0)]) socket.destroy()
    await links.close()
    server.close()
  })

  it('finds out who dials, and passes everything in both directions', async () => {
    const { heard } = await joined()
    ends[0]?.write('welcome')
    await expect.poll(() => heard.text).toBe('welcome')
    expect(links.connections()).toBe(1)
    expect(wiretap.bytes).toBe('hello welcome'.length)
    expect(wiretap.problems).toEqual(['node-2 → node-1: a text that is secret passed in clear 1 times'])
  })

  it('refuses whom nobody knows', async () => {
    expect(dialerOf(1, 2, new Map([[DIALER, process.pid]]))).toBeNull()
    const other = await openLinks(
      [{ node: NODE, port: await reservePorts(1), linkPort: () => relayPort }],
      () => null,
    )
    await other.close()
  })

  it('holds back one direction and lets the other pass; what was held arrives afterwards', async () => {
    const { socket, heard } = await joined()
    const mend = cut({ way: 'one', how: 'held' })
    socket.write('late')
    ends[0]?.write('in time')
    await expect.poll(() => heard.text).toBe('in time')
    expect(arrived).toBe('hello ')
    mend()
    await expect.poll(() => arrived).toBe('hello late')
  })

  it('holds back a connection that begins meanwhile', async () => {
    const mend = cut({ way: 'both', how: 'held' })
    const { socket } = await dial()
    socket.write('hello ')
    await expect.poll(() => ends.length).toBe(1)
    expect(arrived).toBe('')
    mend()
    await expect.poll(() => arrived).toBe('hello ')
  })

  it('swallows, and ends the connection that has lost something when the cut is over', async () => {
    const { socket, heard } = await joined()
    const mend = cut({ way: 'one', how: 'swallowed' })
    socket.write('lost')
    ends[0]?.write('in time')
    await expect.poll(() => heard.text).toBe('in time')
    expect(heard.isClosed).toBe(false)
    mend()
    await expect.poll(() => heard.isClosed).toBe(true)
    expect(arrived).toBe('hello ')
    expect(links.connections()).toBe(0)
  })

  it('closes what there is and takes nothing new, in whichever order the two are named', async () => {
    const before = await joined()
    const mend = cut({ way: 'both', how: 'closed' }, NODE, DIALER)
    await expect.poll(() => before.heard.isClosed).toBe(true)
    const meanwhile = await dial()
    await expect.poll(() => meanwhile.heard.isClosed).toBe(true)
    mend()
    arrived = ''
    await joined()
  })

  it('leaves other ways alone', async () => {
    cut({ way: 'both', how: 'swallowed' }, 'node-3', NODE)
    cut({ way: 'one', how: 'held' }, NODE, DIALER)
    await joined()
    expect(arrived).toBe('hello ')
  })
})
