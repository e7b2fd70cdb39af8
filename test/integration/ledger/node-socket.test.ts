import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Dealer, curveKeyPair } from 'zeromq'
import { describe, expect, it } from 'vitest'
import { curveKeys, identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { NodeSocket } from '../../../src/ledger/sandbox/node-socket.ts'
import { ledgerOfRequests } from '../../ledger/sandbox/ledger-of-requests.ts'

describe('the socket of a validator', () => {
  it('waits for a port that is being let go, then answers pings under its own key', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    void delay(300).then(() => holder.close())
    const node = { alias: 'Node1', identity: identityFromSeed(Buffer.alloc(32, 1)), clientPort: port }
    const socket = new NodeSocket()
    const { ledger } = ledgerOfRequests()
    await socket.open(node, '127.0.0.1', (text) => ledger.answerTexts(text))
    const own = curveKeyPair()
    const client = new Dealer({
      linger: 0,
      receiveTimeout: 5000,
      curvePublicKey: own.publicKey,
      curveSecretKey: own.secretKey,
      curveServerKey: curveKeys(node.identity).publicKey,
    })
    client.connect(`tcp://127.0.0.1:${port}`)
    await client.send('pi')
    expect((await client.receive()).map(String)).toEqual(['po'])
    await client.send('{"op":"LEDGER_STATUS"}')
    expect(String((await client.receive())[0])).toContain('LEDGER_STATUS')
    client.close()
    await socket.close()
  })
})
