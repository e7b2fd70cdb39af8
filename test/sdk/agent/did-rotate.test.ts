import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import {
  DidCommDidRotateMessage,
  DidCommMessageSender,
  DidCommOutboundMessageContext,
} from '@credo-ts/didcomm'
import { expect, it, onTestFinished } from 'vitest'
import { connected, walletAgent } from '../wallet-agent.ts'

/** A host that takes connections and never says a word. */
const silentHost = async () => {
  const caught = { connections: 0 }
  const server = createServer(() => {
    caught.connections += 1
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { did: `did:web:127.0.0.1%3A${(server.address() as AddressInfo).port}`, caught }
}

it('an organisation that moves to an address that never answers does not stop the wallet', async () => {
  const [organisation, wallet] = [await walletAgent(), await walletAgent()]
  const { organisationSide, walletSide } = await connected(organisation, wallet)
  const { did, caught } = await silentHost()
  await organisation.steps.run(async () => {
    const message = new DidCommDidRotateMessage({ toDid: did })
    const outbound = new DidCommOutboundMessageContext(message, {
      agentContext: organisation.agent.context,
      connection: organisationSide,
    })
    await organisation.agent.dependencyManager.resolve(DidCommMessageSender).sendMessage(outbound)
  })
  const before = await wallet.agent.didcomm.connections.getById(walletSide)
  expect(await wallet.receive(organisation.sent.shift()?.payload ?? '')).toBe(1)
  expect(caught.connections).toBe(0)
  const after = await wallet.agent.didcomm.connections.getById(walletSide)
  expect(after.theirDid).toBe(before.theirDid)
})
