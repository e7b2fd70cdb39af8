import { describe, expect, it } from 'vitest'
import { RECENT_COMMANDS_MAX, RecentCommands } from '../../../src/host/state/recent-commands.ts'

describe('the commands an actor remembers', () => {
  it('count a command with several events once at recovery', () => {
    const recent = new RecentCommands()
    for (const id of ['a', 'a', 'b']) recent.restore(id)
    expect(recent.committed()).toEqual(['a', 'b'])
  })
})

describe('their order', () => {
  it('remembers like a list, whatever is added, committed and discarded', () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    let state = seed
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return (state >> 8) % below
    }
    const recent = new RecentCommands()
    let committed: string[] = []
    let uncommitted: string[] = []
    for (let step = 0; step < 5_000; step++) {
      const what = random(5)
      if (what < 2) {
        recent.add(`c${step}`)
        uncommitted.push(`c${step}`)
      } else if (what < 4 && uncommitted.length > 0) {
        recent.commitOldest()
        committed = [...committed, ...uncommitted.slice(0, 1)].slice(-RECENT_COMMANDS_MAX)
        uncommitted = uncommitted.slice(1)
      } else if (uncommitted.length > 0) {
        recent.discardNewest()
        uncommitted.pop()
      }
      const forgotten = `c${step - 4 * RECENT_COMMANDS_MAX}`
      const known = [...committed, ...uncommitted]
      expect(recent.committed(), `seed ${seed}`).toEqual(committed)
      expect(known.every((id) => recent.has(id)) && !recent.has('other'), `seed ${seed}`).toBe(true)
      expect(recent.has(forgotten), `seed ${seed}`).toBe(known.includes(forgotten))
    }
  })
})
