import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isGlobal } from '../../src/egress/address.ts'
import { EgressRefused } from '../../src/egress/failures.ts'
import { lookupAmong, Names, type NameSettings, systemNames } from '../../src/egress/names.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { startNameServer } from './name-server.ts'

const opened: Disposable[] = []
afterEach(() => {
  for (const each of opened.splice(0).toReversed()) each[Symbol.dispose]()
})
const use = <Part extends Disposable>(part: Part): Part => {
  opened.push(part)
  return part
}

const serverWith = async (addresses: Readonly<Record<string, readonly string[]>> = {}) =>
  use(await startNameServer(addresses))
const namesWith = (settings: Partial<NameSettings>): Names => use(new Names({ ...systemNames, ...settings }))
const addressesOf = async (names: Names, host: string): Promise<readonly string[]> =>
  (await names.addressesOf(host)).map(({ address }) => address)

const { signal } = new AbortController()
const request = { headers: {}, body: 'x', timeoutMs: 30_000, answerBytesMax: 100, signal }

describe('host names with a silent server', () => {
  it('hold up no call to another host', async () => {
    const { servers } = await serverWith({ 'answers.example': ['127.0.0.1'] })
    const http = createServer((_, answer) => answer.end('here')).listen(0, '127.0.0.1')
    await once(http, 'listening')
    const { port } = http.address() as AddressInfo
    const names = new Names({ ...systemNames, servers })
    const outbound = use(new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 4 }, names))
    const silent = Array.from({ length: 12 }, (_, index) =>
      outbound.post({ ...request, url: `http://h${index}.silent.example:${port}/` }),
    )
    let ended = 0
    for (const call of silent) call.catch(() => ended++)
    for (const host of ['answers.example', 'localhost', 'wallet.localhost']) {
      const answer = await outbound.post({ ...request, url: `http://${host}:${port}/` })
      expect(answer).toMatchObject({ status: 200, body: 'here' })
    }
    expect(ended).toBe(0)
    const failures = (await Promise.allSettled(silent)).map(({ status }) => status)
    expect(failures).toEqual(silent.map(() => 'rejected'))
    await expect(silent[0]).rejects.toThrow('the connection failed (ETIMEOUT)')
    http.close()
    http.closeAllConnections()
  })

  it('give their places to others, the oldest first', async () => {
    const { servers } = await serverWith({ 'answers.example': ['127.0.0.1'] })
    const names = namesWith({ servers, underWayMax: 4 })
    const silent = Array.from({ length: 5 }, (_, index) => names.addressesOf(`h${index}.silent.example`))
    for (const lookup of silent) lookup.catch(() => undefined)
    await expect(silent[0]).rejects.toThrow('too many host names')
    expect(names.underWay).toBe(4)
    expect(await addressesOf(names, 'answers.example')).toEqual(['127.0.0.1'])
    expect(names.underWay).toBe(3)
  })
})

describe('a host name', () => {
  it('is asked for once by all who ask at a time, and for some seconds', async () => {
    const { servers, asked } = await serverWith({ 'answers.example': ['192.0.2.7', '192.0.2.8'] })
    const names = namesWith({ servers })
    const same = ['answers.example', 'Answers.Example', 'answers.example']
    for (const each of await Promise.all(same.map((host) => addressesOf(names, host))))
      expect(each).toEqual(['192.0.2.7', '192.0.2.8'])
    expect(await addressesOf(names, 'answers.example')).toHaveLength(2)
    expect(asked.toSorted()).toEqual(['A answers.example', 'AAAA answers.example'])
  })

  it('that does not exist is not asked for again at once', async () => {
    const { servers, asked } = await serverWith()
    const names = namesWith({ servers })
    for (let time = 0; time < 3; time++)
      await expect(names.addressesOf('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect(asked).toHaveLength(2)
  })

  it('of the hosts file is what the file says, and no server is asked', async () => {
    const { servers, asked } = await serverWith({ 'wallet.example': ['192.0.2.7'] })
    const hostsFile = join(temporaryFolder('names'), 'hosts')
    await writeFile(hostsFile, '# here\n2001:db8::9 Wallet.example\n192.0.2.9\tother wallet.example # w\n')
    const names = namesWith({ servers, hostsFile })
    expect(await addressesOf(names, 'wallet.example')).toEqual(['192.0.2.9', '2001:db8::9'])
    expect(await addressesOf(names, 'wallet.example.')).toEqual(['192.0.2.9', '2001:db8::9'])
    expect(asked).toEqual([])
  })

  it('is looked for in the search domains where private targets are allowed, and there alone', async () => {
    const { servers, asked } = await serverWith({
      'wallet.team.svc.cluster.example': ['10.0.0.7'],
      'far.example': ['192.0.2.7'],
    })
    const resolverFile = join(temporaryFolder('names'), 'resolv.conf')
    await writeFile(
      resolverFile,
      'nameserver 192.0.2.1\nsearch team.svc.cluster.example svc.cluster.example.\noptions edns0 ndots:5\n',
    )
    const names = namesWith({ servers, resolverFile, searchesDomains: true })
    expect(await addressesOf(names, 'wallet')).toEqual(['10.0.0.7'])
    expect(await addressesOf(names, 'wallet.team')).toEqual(['10.0.0.7'])
    expect(await addressesOf(names, 'far.example')).toEqual(['192.0.2.7'])
    await expect(names.addressesOf('wallet.')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    asked.length = 0
    const strict = namesWith({ servers, resolverFile })
    await expect(strict.addressesOf('wallet.team')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect(asked.toSorted()).toEqual(['A wallet.team', 'AAAA wallet.team'])
  })
})

describe('the addresses of a name', () => {
  it('that are private are refused, also when the answer is one that was kept', async () => {
    const { servers, asked } = await serverWith({ 'inside.example': ['10.0.0.7', '127.0.0.1'] })
    const names = new Names({ ...systemNames, servers })
    const outbound = use(new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 4 }, names))
    for (let time = 0; time < 2; time++) {
      const call = outbound.post({ ...request, url: 'https://inside.example/' })
      await expect(call).rejects.toThrow(EgressRefused)
    }
    expect(asked).toHaveLength(2)
  })

  it('reach the socket without those that are private', async () => {
    const { servers } = await serverWith({ 'mixed.example': ['10.0.0.7', '8.8.8.8', '9.9.9.9'] })
    const lookup = lookupAmong(namesWith({ servers }), isGlobal)
    const found = (all: boolean) =>
      new Promise((resolve) => lookup('mixed.example', { all }, (...outcome) => resolve(outcome)))
    expect(await found(true)).toEqual([
      null,
      [
        { address: '8.8.8.8', family: 4 },
        { address: '9.9.9.9', family: 4 },
      ],
    ])
    expect(await found(false)).toEqual([null, '8.8.8.8', 4])
  })
})
