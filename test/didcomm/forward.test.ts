import { describe, expect, it } from 'vitest'
import { pack, unpack, wrapForRoute } from '../../src/didcomm/envelope.ts'
import { createKeyPair } from '../../src/didcomm/keys.ts'
import { parseMessage } from '../../src/didcomm/message.ts'

describe('an envelope on its way through mediators', () => {
  it('is unwrapped hop by hop, each mediator seeing only the next', () => {
    const [wallet, near, far, sender] = [createKeyPair(), createKeyPair(), createKeyPair(), createKeyPair()]
    const inner = pack('{"secret":1}', [wallet.publicKeyBase58], sender)
    const route = [near.publicKeyBase58, far.publicKeyBase58]
    let envelope = wrapForRoute(inner, wallet.publicKeyBase58, route, () => 'id')
    for (const [mediator, next] of [
      [far, near],
      [near, wallet],
    ] as const) {
      const opened = unpack(envelope, (key) => (key === mediator.publicKeyBase58 ? mediator : null))
      expect(opened.senderKey).toBeNull()
      const forward = parseMessage(opened.message)
      expect(forward).toMatchObject({ type: 'routing/1.0/forward', body: { to: next.publicKeyBase58 } })
      envelope = JSON.stringify(forward?.body['msg'])
    }
    expect(JSON.parse(envelope)).toEqual(JSON.parse(inner))
  })
})
