import { serveThread } from './serve-thread.ts'
import { Writer } from './writer.ts'

serveThread((file) => {
  const writer = new Writer(file)
  return { run: (group) => writer.run(group), close: () => writer.close() }
})
