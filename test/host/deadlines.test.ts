import { describe, expect, it } from 'vitest'
import { DEADLINE_GRAIN_MS, Deadlines } from '../../src/host/deadlines.ts'
import { Work } from '../../src/host/pending-command.ts'

const newWork = () => {
  const answers: string[] = []
  const note = (answer: unknown): void => void answers.push(String(answer))
  const work = new Work(null, null, null, null)
  work.answerTo(note, ({ message }) => note(message))
  return { work, answers }
}
const giveUp = (work: Work): void => work.fail(new Error('late'))

describe('deadlines', () => {
  it('give up what was not answered in time, at most a grain late', () => {
    const deadlines = new Deadlines()
    const { work, answers } = newWork()
    deadlines.add(work, 1_050)
    deadlines.expire(1_049, giveUp)
    expect(answers).toEqual([])
    deadlines.expire(1_050 + DEADLINE_GRAIN_MS, giveUp)
    expect(answers).toEqual(['late'])
  })

  it('forget what was answered', () => {
    const deadlines = new Deadlines()
    const all = [newWork(), newWork(), newWork()]
    for (const { work } of all) deadlines.add(work, 1_000)
    for (const index of [1, 0]) all[index]?.work.succeed('in time')
    deadlines.expire(5_000, giveUp)
    expect(all.map(({ answers }) => answers)).toEqual([['in time'], ['in time'], ['late']])
  })

  it('are kept apart where they differ', () => {
    const deadlines = new Deadlines()
    const early = newWork()
    const late = newWork()
    deadlines.add(early.work, 1_000)
    deadlines.add(late.work, 9_000)
    deadlines.expire(2_000, giveUp)
    expect([early.answers, late.answers]).toEqual([['late'], []])
  })
})
