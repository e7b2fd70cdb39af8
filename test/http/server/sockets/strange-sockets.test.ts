import { expect, it } from 'vitest'
import { StrangeSockets } from '../../../../src/http/server/sockets/strange-sockets.ts'
import { GivenHost, GivenSocketInUse } from './given-sockets.ts'

const host = new GivenHost()
const from = (address: string) => new GivenSocketInUse(host, address)

it('has the oldest of the network go that has most, and nobody while there is room', () => {
  const strangers = new StrangeSockets(3)
  const [phone, first, second] = [from('198.51.100.7'), from('192.0.2.1'), from('192.0.2.1')]
  for (const socket of [phone, first, second]) strangers.add(socket)
  expect(strangers.tooMany()).toBeNull()
  strangers.add(from('198.51.100.8'))
  expect(strangers.tooMany()).toBe(first)
  strangers.delete(first)
  expect([strangers.tooMany(), strangers.ofNetwork('192.0.2.1')]).toEqual([null, 1])
})

it('takes what one person may have of IPv6 for one network', () => {
  const strangers = new StrangeSockets(3)
  const phone = from('2001:db8:1::1')
  const squatters = ['2001:db8:2:100::1', '2001:db8:2:200::1', '2001:db8:2:300::1'].map(from)
  for (const socket of [phone, ...squatters]) strangers.add(socket)
  expect(strangers.tooMany()).toBe(squatters[0])
})

it('has the oldest of all go where each has a network of its own', () => {
  const strangers = new StrangeSockets(1)
  const [older, newer] = [from('192.0.2.1'), from('192.0.2.2')]
  for (const socket of [older, newer]) strangers.add(socket)
  expect(strangers.tooMany()).toBe(older)
})

it('counts whoever was taken away once', () => {
  const strangers = new StrangeSockets(1)
  const socket = from('192.0.2.1')
  strangers.add(socket)
  strangers.delete(socket)
  strangers.delete(socket)
  expect(strangers.ofNetwork('192.0.2.1')).toBe(0)
})
