import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

const TYPE_A = 1
const TYPE_AAAA = 28
const NO_SUCH_NAME = 3

/** A name server on loopback: gives addresses of both families, says that a name does not exist, or is silent. */
export const startNameServer = async (addresses: Readonly<Record<string, readonly string[]>> = {}) => {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, type, question } = questionIn(query)
    asked.push(`${type === TYPE_A ? 'A' : 'AAAA'} ${name}`)
    if (name.endsWith('silent.example')) return
    const known = addresses[name]
    const ofType = (known ?? []).filter((each) => type === (isIPv4(each) ? TYPE_A : TYPE_AAAA))
    const records = ofType.map(recordOf)
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 + (known === undefined ? NO_SUCH_NAME : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, question, ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    asked,
    servers: [`127.0.0.1:${socket.address().port}`],
    [Symbol.dispose]: (): void => void socket.close(),
  }
}

const questionIn = (query: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  }
}

/** For the name of the question, for a minute. */
const recordOf = (address: string): Buffer => {
  const bytes = ipaddr.parse(address).toByteArray()
  const type = isIPv4(address) ? TYPE_A : TYPE_AAAA
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes])
}
