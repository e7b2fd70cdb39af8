import { expect, it } from 'vitest'
import { InProcessStream, StreamAway } from '../../../src/stream/in-process-stream.ts'
import { record, streamSuite } from './stream-suite.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

streamSuite('within one process', async () => new InProcessStream())

it('the stream within one process takes nothing while nobody listens', async () => {
  const stream = closedAtEnd(new InProcessStream())
  await expect(stream.publish([record('ten_a', 0)])).rejects.toBeInstanceOf(StreamAway)
})
