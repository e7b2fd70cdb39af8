import { actorsThat } from '../host/parts/actors-that.ts'
import { describe, expect, it } from 'vitest'
import type { Actors, OldAskOptions } from '../../src/ports/actors.ts'
import { askQuestion } from '../../src/actors/ask-question.ts'

const asked: (readonly [string, unknown, OldAskOptions])[] = []
const answering = (answerNow?: Actors['answerNow']): Actors =>
  actorsThat({
    ask: async (...each: readonly [string, unknown, OldAskOptions]) => {
      asked.push(each)
      return 'later'
    },
    ...(answerNow && { answerNow }),
  })
const ports = (actors: Actors) => ({ actors, askTimeoutMs: 5_000 })

describe('a question', () => {
  it('is answered at once where its actor can', () => {
    const actors = answering(() => ({ reply: 'now' }))
    expect(askQuestion(ports(actors), 'key_1', { type: 'Read' }, null)).toBe('now')
    expect(asked).toEqual([])
  })

  it.each([
    ['cannot', answering(() => null)],
    ['is elsewhere', answering()],
  ])('takes its turn where its actor %s', async (_, actors) => {
    asked.splice(0)
    expect(await askQuestion(ports(actors), 'key_1', { type: 'Read' }, 'ten_1')).toBe('later')
    expect(asked).toEqual([['key_1', { type: 'Read' }, { commandId: '', timeoutMs: 5_000, tenant: 'ten_1' }]])
  })
})
