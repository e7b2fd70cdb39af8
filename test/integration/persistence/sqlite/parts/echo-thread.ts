// A database thread that says its file before everything it is asked.
import { serveThread } from '../../../../../src/persistence/sqlite/serve-thread.ts'

serveThread((file) => {
  if (file === '') throw new Error('there is no file')
  return {
    run: ({ calls }) => ({
      values: calls.map(([, text], index) => [index, `${file}: ${String(text)}`]),
      failures: [],
    }),
    close: () => {},
  }
})
