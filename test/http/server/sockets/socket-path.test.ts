import { expect, it } from 'vitest'
import { addressIn } from '../../../../src/http/server/sockets/socket-path.ts'

const door = { isAddress: (address: string) => address === 'mbx_a' }

it.each([
  ['/didcomm', null],
  ['/didcomm/mbx_a', 'mbx_a'],
  ['/didcomm/', undefined],
  ['/didcomm/mbx_b', undefined],
  ['/didcomm/mbx_a/', undefined],
  ['/DIDComm', undefined],
  ['/didcommmbx_a', undefined],
  ['', undefined],
])('a socket at %s is opened where somebody speaks there', (path, address) => {
  expect(addressIn(path, door)).toBe(address)
})
