import { expect, it } from 'vitest'
import { clock, nodeVersion } from '../../../src/cli/doctor/runtime.ts'
import { loadConfig } from '../../../src/config/config.ts'

it('the Node that runs the tests is the right one', async () => {
  expect(await nodeVersion.run(loadConfig({}))).toMatchObject({ ok: true })
})

it('the clock is checked against the time that passes', async () => {
  expect(await clock.run(loadConfig({}))).toMatchObject({ ok: true })
})

it('a clock that jumps is found', async () => {
  const { now } = Date
  let calls = 0
  Date.now = () => now() + (calls++ > 0 ? 60_000 : 0)
  try {
    expect(await clock.run(loadConfig({}))).toMatchObject({ ok: false })
  } finally {
    Date.now = now
  }
})
