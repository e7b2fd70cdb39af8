import { describe, expect, it } from 'vitest'
import { ActorState } from '../../src/host/actor-state.ts'
import { Resident } from '../../src/host/resident.ts'
import { Work } from '../../src/host/pending-command.ts'
import { accountDefinition } from './parts/account.ts'

const actor = 'acc_00aaaaaaaa'
const definition = accountDefinition()

const newResident = () => {
  const left: Resident[] = []
  const resident = new Resident(actor, definition, {
    turn: () => undefined,
    crashed: () => undefined,
    passivate: (leaving) => void left.push(leaving),
  })
  resident.phase = 'active'
  return { resident, left }
}
const work = new Work(null, null, null, null)

describe('a resident', () => {
  it.each<readonly [string, (resident: Resident) => void]>([
    ['it is loading', (resident) => void (resident.phase = 'loading')],
    ['its data key is being made', (resident) => void (resident.phase = 'keying')],
    ['it was told that there is work', (resident) => void (resident.awake = true)],
    ['somebody waits for an answer', (resident) => void resident.waiting++],
    ['something is performed for it', (resident) => void resident.pins++],
    ['something is queued', (resident) => resident.queue.push(work)],
  ])('is not idle while %s', (_, make) => {
    const { resident } = newResident()
    expect(resident.idle).toBe(true)
    make(resident)
    expect(resident.idle).toBe(false)
  })

  it('exists when it has events', () => {
    const { resident } = newResident()
    expect(resident.exists).toBe(false)
    const cell = new ActorState(definition, actor)
    resident.cell = cell as never
    expect(resident.exists).toBe(false)
    cell.handle({ type: 'Deposit', amount: 1 }, null, 0)
    expect(resident.exists).toBe(true)
  })

  it('leaves when it is put to sleep', () => {
    const { resident, left } = newResident()
    resident.passivate()
    expect(left).toEqual([resident])
  })
})
