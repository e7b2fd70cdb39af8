import { describe, expect, it } from 'vitest'
import { InFlight } from '../../../src/http/server/in-flight.ts'

describe('requests in flight', () => {
  it('are none at first', async () => {
    await expect(new InFlight().none()).resolves.toBeUndefined()
  })

  it('are none again only when the last has left', async () => {
    const inFlight = new InFlight()
    inFlight.enter()
    inFlight.enter()
    let none = false
    const waiting = inFlight.none().then(() => {
      none = true
    })
    inFlight.leave()
    await Promise.resolve()
    expect(none).toBe(false)
    inFlight.leave()
    await waiting
    expect(none).toBe(true)
  })
})
