import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort, isFree, portsOf } from '../../tools/infra/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-ports-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the ports of a data folder', () => {
  it('are free ones, all different, and stay with the data', async () => {
    const first = await portsOf(folder, { cql: undefined, storage: undefined, jmx1: undefined })
    expect(new Set(Object.values(first)).size).toBe(3)
    expect(await portsOf(folder, { cql: undefined, storage: undefined, jmx1: undefined })).toEqual(first)
  })

  it('are none that the system may give to an outgoing connection', async () => {
    const ports = Object.values(await portsOf(mkdtempSync(join(folder, 'data-')), { cql: undefined }))
    expect(ports.every((port) => port >= 20_000 && port < 32_000)).toBe(true)
  })

  it('give way to what is asked for', async () => {
    expect(await portsOf(folder, { cql: 12_345 })).toEqual({ cql: 12_345 })
  })
})

it('a single free port is one a server can listen on', async () => {
  expect(await isFree('127.0.0.1', await freePort())).toBe(true)
})

it('a port is free until somebody listens on it', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  expect(await isFree('127.0.0.1', port)).toBe(false)
  await new Promise((resolve) => server.close(resolve))
  expect(await isFree('127.0.0.1', port)).toBe(true)
})
