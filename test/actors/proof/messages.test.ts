import { describe, expect, it } from 'vitest'
import {
  composeMessage,
  fieldsWithAttachment,
  parseMessage,
  type Message,
} from '../../../src/didcomm/message.ts'
import { Enclosed } from '../../../src/actors/bodies.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'
import type { WalletFormat } from '../../../src/domain/wallet-formats.ts'
import { proofAckMessage, proofMessages, proofRequestMessage } from '../../../src/actors/proof/messages.ts'

const read = (text: string): Message => {
  const message = parseMessage(text)
  if (!message) throw new Error('no message')
  return message
}

describe('the messages of verifying', () => {
  it('begin with a request that opens its thread', () => {
    const asked = (format: WalletFormat) =>
      read(proofRequestMessage({ threadId: 'p', request: '{}', format }))
    expect(asked('anoncreds')).toMatchObject({ id: 'p', threadId: 'p' })
    expect(asked('anoncreds').body['formats']).toMatchObject([{ format: 'anoncreds/proof-request@v1.0' }])
    expect(asked('hlindy').body['formats']).toMatchObject([{ format: 'hlindy/proof-req@v2.0' }])
  })

  it.each(['anoncreds/proof@v1.0', 'hlindy/proof@v2.0'])(
    'go on with a presentation in its format, and end with an ack: %s',
    (format) => {
      const fields = fieldsWithAttachment('presentations~attach', format, '{"proof":1}')
      const type = 'present-proof/2.0/presentation'
      const presentation = read(composeMessage({ id: 'x', type, thread: { thid: 'p' }, ...fields }))
      const frame = { from: 'con_1', atMs: 1, prefix: OLD_PREFIX } as const
      const enclosed = proofMessages.commandOf(presentation, frame)
      if (!(enclosed instanceof Enclosed)) throw new Error('nothing is enclosed')
      expect(enclosed.text).toBe('{"proof":1}')
      const body = { id: 'b', hash: 'h' }
      expect(enclosed.commandWith(body)).toEqual({
        type: 'ReceivePresentation',
        ...frame,
        presentation: body,
      })
      const ack = { id: 'p.ack', prefix: OLD_PREFIX, threadId: 'p', body: { status: 'OK' } }
      expect(read(proofAckMessage({ threadId: 'p', prefix: OLD_PREFIX }))).toMatchObject(ack)
    },
  )
})
