// A database thread that echoes, and dies when it is told to.
import { serveThread } from '../../../../src/persistence/sqlite/serve-thread.ts'

serveThread(() => ({
  run: ({ calls }) => {
    if (calls.some(([method]) => method === 'die')) process.exit(1)
    return { values: calls.map(([, value], index) => [index, value]), failures: [] }
  },
  close: () => {},
}))
