import { describe, expect, it } from 'vitest'
import { accessLine } from '../../src/telemetry/access-line.ts'

const parse = (fields: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(accessLine(fields)) as Record<string, unknown>

describe('the line of a request', () => {
  it('is one line of JSON like any other', () => {
    const line = accessLine({
      requestId: 'req_1',
      method: 'GET',
      route: '/v1/health',
      status: 200,
      durationMs: 0.25,
    })
    expect(line.endsWith('}\n')).toBe(true)
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      event: 'http.request',
      requestId: 'req_1',
      method: 'GET',
      route: '/v1/health',
      status: 200,
      durationMs: 0.25,
    })
  })

  it('cannot be broken or extended by what is in a field', () => {
    const line = parse({
      route: '"}\n{"event":"forged',
      status: Number.NaN,
      bytesIn: '1',
      authorization: 'secret',
    })
    expect(line).toMatchObject({ route: '"}\n{"event":"forged' })
    expect(Object.keys(line)).toEqual(['level', 'time', 'event', 'route'])
  })
})
