import type { ServerResponse } from 'node:http'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { registerTrigger } from '../../src/cli/trigger.ts'
import { refusal, toldStream } from './listen/told-stream.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

const TYPES = ['credential.state_changed', 'proof.state_changed']

describe('vouchsafe trigger', () => {
  const answered = (listeners: number) => ({ id: 'evt_test_1', type: TYPES[0], createdAt: 'x', listeners })
  const run = async (url: string, ...words: string[]) => {
    const register = (program: Command) =>
      registerTrigger(program, { API_KEY: 'svc_sk_test', BASE_URL: url }, TYPES)
    return vouchsafe([register], {}, words)
  }

  it('says which event went to how many listeners', async () => {
    const { url } = await toldStream(
      ...[2, 1, 0].map(
        (listeners) => (response: ServerResponse) => void response.end(JSON.stringify(answered(listeners))),
      ),
      (response) => void response.end(JSON.stringify(answered(1))),
    )
    const word = 'credential.state_changed'
    expect(await run(url, 'trigger', word)).toEqual({
      code: 0,
      out: 'evt_test_1  credential.state_changed  to 2 listeners\n',
      err: '',
    })
    expect((await run(url, 'trigger', word)).out).toContain('to 1 listener\n')
    expect((await run(url, 'trigger', word)).out).toContain('nobody listens (vouchsafe listen)\n')
    expect(JSON.parse((await run(url, '--json', 'trigger', word)).out)).toEqual(answered(1))
  })

  it('shows nothing of an answer that a terminal would obey', async () => {
    const strange = {
      id: 'evt_\u001b[2J',
      createdAt: '\u009b',
      listeners: '\u001b]0;x\u0007',
      more: '\u009b',
    }
    const { url } = await toldStream((response) => void response.end(JSON.stringify(strange)))
    expect((await run(url, 'trigger', 'proof.state_changed')).out).toBe(
      'evt_?[2J  proof.state_changed  to NaN listeners\n',
    )
    const { out } = await run(url, '--json', 'trigger', 'proof.state_changed')
    expect(out.trimEnd()).not.toMatch(/\p{C}/u)
  })

  it('says what is wrong in one sentence', async () => {
    const { url } = await toldStream(refusal(404, 'There is nothing at this path.'))
    const { code, err } = await run(url, 'trigger', 'surprise')
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('Allowed choices are credential.state_changed') as string,
    ])
    expect(await run(url, 'trigger', 'proof.state_changed')).toMatchObject({
      code: 1,
      err: expect.stringContaining('of an older release') as string,
    })
  })
})
