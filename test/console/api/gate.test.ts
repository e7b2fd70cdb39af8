import { describe, expect, it } from 'vitest'
import { Gate } from '../../../console/src/api/gate.ts'

describe('the gate', () => {
  it('lets all who wait for the same pass by one sign-in', async () => {
    const gate = new Gate()
    const waiting = [gate.pass('sign-in'), gate.pass('sign-in')]
    expect(gate.wanted).toBe('sign-in')
    gate.settle(true)
    expect(await Promise.all(waiting)).toEqual([true, true])
    expect(gate.wanted).toBeNull()
  })

  it('takes a sign-in for a step-up, because it shows the second factor too', async () => {
    const gate = new Gate()
    const signIn = gate.pass('sign-in')
    const stepUp = gate.pass('step-up')
    gate.settle(true)
    expect([await signIn, await stepUp]).toEqual([true, true])
  })

  it('does not take a step-up for a sign-in', async () => {
    const gate = new Gate()
    const stepUp = gate.pass('step-up')
    const signIn = gate.pass('sign-in')
    gate.settle(true)
    expect(await stepUp).toBe(true)
    await expect.poll(() => gate.wanted).toBe('sign-in')
    gate.settle(true)
    expect(await signIn).toBe(true)
  })

  it('turns all away when the person does not want to', async () => {
    const gate = new Gate()
    const waiting = [gate.pass('step-up'), gate.pass('sign-in')]
    gate.settle(false)
    expect(await Promise.all(waiting)).toEqual([false, false])
  })

  it('tells who listens when somebody has to show something, and when it is over', () => {
    const gate = new Gate()
    const heard: unknown[] = []
    const stop = gate.listen(() => heard.push(gate.wanted))
    void gate.pass('step-up')
    gate.settle(true)
    stop()
    void gate.pass('step-up')
    expect(heard).toEqual(['step-up', null])
  })
})
