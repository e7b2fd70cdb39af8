import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isFree, reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { Program } from '../../../tools/harness/program.ts'

const file = new URL('../../../src/ledger/sandbox/reserved-ports.ts', import.meta.url).href

/** True while no process holds the reservation of the port. */
const isUnreserved = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => resolve(false))
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => socket.close(() => resolve(true)))
  })

describe('reserved ports', () => {
  it('are free to listen on, in a row, and none that the system may give to an outgoing connection', async () => {
    const first = await reservePorts(4)
    const ports = [first, first + 1, first + 2, first + 3]
    expect(await Promise.all(ports.map((port) => isFree('127.0.0.1', port)))).toEqual(ports.map(() => true))
    expect(ports.every((port) => port >= 20_000 && port < 32_000)).toBe(true)
  })

  it('are never handed out twice, whether a server listens already or not', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, () => reservePorts(1)))
    expect(new Set(ports).size).toBe(200)
    expect(await Promise.all(ports.map(isUnreserved))).toEqual(ports.map(() => false))
  })

  it('of another process are its own until it ends, however it ends', async () => {
    const script = `import('${file}').then(async ({ reservePorts }) => {
      console.error(await reservePorts(2))
      setInterval(() => {}, 1000)
    })`
    const program = new Program(['-e', script])
    onTestFinished(() => program.kill())
    await expect.poll(() => program.shown).toMatch(/\d+\n/)
    const first = Number(/\d+/.exec(program.shown)?.[0])
    expect(await Promise.all([isUnreserved(first), isUnreserved(first + 1)])).toEqual([false, false])
    program.kill()
    await program.ended
    expect(await isUnreserved(first)).toBe(true)
  })
})

it('a port is free until a server listens on it', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  expect(await isFree('127.0.0.1', port)).toBe(false)
  await new Promise((resolve) => server.close(resolve))
  expect(await isFree('127.0.0.1', port)).toBe(true)
})
