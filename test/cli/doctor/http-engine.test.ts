import { expect, it } from 'vitest'
import { httpEngine } from '../../../src/cli/doctor/http-engine.ts'
import { loadConfig } from '../../../src/config/config.ts'

it('says which build of uWebSockets.js is loaded', async () => {
  expect(await httpEngine.run(loadConfig({}))).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/repack|upstream/) as string,
  })
})

it('has nothing to say when the server built into Node is chosen', () => {
  expect(httpEngine.applies(loadConfig({ VOUCHSAFE_HTTP_ENGINE: 'node' }))).toBe(false)
})
