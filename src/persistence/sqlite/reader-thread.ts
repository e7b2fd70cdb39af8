import { Reader } from './reader.ts'
import { serveThread } from './serve-thread.ts'

serveThread((file) => {
  const reader = new Reader(file)
  return { run: (group) => reader.run(group), close: () => reader.close() }
})
