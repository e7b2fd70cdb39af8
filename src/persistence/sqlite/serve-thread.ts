import { parentPort, workerData } from 'node:worker_threads'
import type { GroupAnswer, GroupRequest, ThreadReady } from './thread-messages.ts'

export type ThreadServer = { run(group: GroupRequest): GroupAnswer; close(): void }

/** The worker's side: opens the file, says that it is ready, answers one message for each group until told to stop. */
export const serveThread = (open: (file: string) => ThreadServer): void => {
  const port = parentPort
  if (port === null) throw new Error('this file is started as a worker thread')
  const tell = (ready: ThreadReady): void => port.postMessage(ready)
  let server: ThreadServer
  try {
    server = open((workerData as { file: string }).file)
  } catch (error) {
    tell({ ready: false, message: error instanceof Error ? error.message : String(error) })
    return
  }
  port.on('message', (group: GroupRequest | 'stop') => {
    if (group === 'stop') {
      server.close()
      port.close()
      return
    }
    port.postMessage(server.run(group))
  })
  tell({ ready: true })
}
