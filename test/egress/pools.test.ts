import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { Outbound, Pools } from '../../src/egress/outbound.ts'
import { closedAtEnd } from '../closed-at-end.ts'

it.each([
  ['keeps its connections', true],
  ['closes each after its answer', false],
])('a host that %s is never sent more at once than it may be', async (_, keepAlive) => {
  let [underWay, most] = [0, 0]
  const server = createServer((incoming, answer) => {
    most = Math.max(most, ++underWay)
    incoming.resume()
    answer.shouldKeepAlive = keepAlive
    setTimeout(() => {
      underWay--
      answer.end('ok')
    }, 5)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const outbound = closedAtEnd(new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 4 }))
  const { signal } = new AbortController()
  const call = () =>
    outbound.post({ url, headers: {}, body: 'x', timeoutMs: 30_000, answerBytesMax: 9, signal })
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_each, index) => {
      await new Promise((resolve) => setTimeout(resolve, index % 100))
      return call()
    }),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(most).toBeLessThanOrEqual(4)
  server.closeAllConnections()
  server.close()
})

it('hosts that were not called for long are forgotten', () => {
  const pools = new Pools({})
  const first = pools.of('https://host-0.example')
  for (let index = 1; index < 1_500; index++) pools.of(`https://host-${index}.example`)
  expect(pools.size).toBe(1_024)
  expect(pools.of('https://host-1499.example')).toBe(pools.of('https://host-1499.example'))
  expect(pools.of('https://host-0.example')).not.toBe(first)
  pools.destroy()
})
