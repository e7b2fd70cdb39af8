import { expect, it } from 'vitest'
import { unreadableReport } from '../../src/compose/asks.ts'
import { testRuntime } from '../host/parts/test-runtime.ts'
import { writtenLog } from '../telemetry/written-log.ts'

it('what goes wrong with every ask of a node is logged once a minute', () => {
  const { log, logged } = writtenLog()
  const runtime = testRuntime()
  const unreadable = unreadableReport({ log, runtime })
  const error = new Error('as before')
  for (let time = 0; time < 50; time++) for (const node of ['n1', 'n2']) unreadable({ node, error })
  expect(logged.map(([event, { node, count }]) => [event, node, count])).toEqual([
    ['ask.unreadable', 'n1', 1],
    ['ask.unreadable', 'n2', 1],
  ])
  runtime.forward(60_001)
  unreadable({ node: 'n1', error })
  expect(logged.at(-1)).toMatchObject(['ask.unreadable', { node: 'n1', count: 50 }])
})
