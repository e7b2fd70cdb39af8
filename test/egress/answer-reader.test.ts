import type { Dispatcher } from 'undici'
import { describe, expect, it } from 'vitest'
import { AnswerReader } from '../../src/egress/outbound.ts'

const controllerOf = () => {
  const reasons: Error[] = []
  const controller = { abort: (reason: Error) => reasons.push(reason) }
  return { reasons, controller: controller as unknown as Dispatcher.DispatchController }
}

describe('the reader of an answer', () => {
  it('gives status and text', async () => {
    const { controller } = controllerOf()
    const reader = new AnswerReader(100)
    reader.onRequestStart(controller)
    reader.onResponseStart(controller, 202)
    for (const part of ['he', 'llo']) reader.onResponseData(controller, Buffer.from(part))
    reader.onResponseEnd()
    expect(await reader.answer).toEqual({ status: 202, body: 'hello' })
  })

  it('hangs up when it has heard enough', async () => {
    const { controller, reasons } = controllerOf()
    const reader = new AnswerReader(3)
    reader.onRequestStart(controller)
    reader.onResponseStart(controller, 200)
    reader.onResponseData(controller, Buffer.from('hello'))
    expect(await reader.answer).toEqual({ status: 200, body: 'hel' })
    expect(reasons).toHaveLength(1)
  })

  it('that gave up before there was a connection lets no call be made', async () => {
    const { controller, reasons } = controllerOf()
    const reader = new AnswerReader(3)
    reader.giveUp(new Error('too late'))
    reader.onRequestStart(controller)
    await expect(reader.answer).rejects.toThrow('too late')
    expect(reasons.map(({ message }) => message)).toEqual(['too late'])
  })
})
