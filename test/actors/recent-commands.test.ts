import { describe, expect, it } from 'vitest'
import { RECENT_COMMANDS_MAX, RecentCommands } from '../../src/actors/recent-commands.ts'

describe('the commands an actor remembers', () => {
  it('are told apart also where their ends are the same', () => {
    const recent = new RecentCommands()
    recent.add('first/the-same-ending')
    expect(recent.has('first/the-same-ending')).toBe(true)
    expect(recent.has('other/the-same-ending')).toBe(false)
  })

  it('are forgotten oldest first, and only by commits', () => {
    const recent = new RecentCommands()
    for (let index = 0; index < 200; index++) recent.add(`c${index}`)
    expect(recent.has('c0')).toBe(true)
    for (let index = 0; index < 200; index++) recent.commitOldest()
    expect(recent.has('c0')).toBe(false)
    expect(recent.has(`c${200 - RECENT_COMMANDS_MAX}`)).toBe(true)
    expect(recent.committed()).toHaveLength(RECENT_COMMANDS_MAX)
  })

  it('do not include a discarded one', () => {
    const recent = new RecentCommands()
    recent.restore('a')
    recent.add('b')
    expect(recent.committed()).toEqual(['a'])
    recent.discardNewest()
    expect(recent.has('b')).toBe(false)
  })

  it('count a command with several events once at recovery', () => {
    const recent = new RecentCommands()
    for (const id of ['a', 'a', 'b']) recent.restore(id)
    expect(recent.committed()).toEqual(['a', 'b'])
  })
})
