import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import {
  type GroupAnswer,
  type GroupRequest,
  mergeGroups,
  type ThreadAnswer,
  type ThreadReady,
} from './thread-messages.ts'

export type ThreadServer = { run(group: GroupRequest): GroupAnswer; close(): void }

type ThreadRequest = GroupRequest | 'stop'

/**
 * The worker's side: opens the file, reports that it is ready, and answers all waiting requests with one message until
 * it gets a stop.
 */
export const serveThread = (open: (file: string) => ThreadServer): void => {
  const port = parentPort
  if (port === null) throw new Error('this file is started as a worker thread')
  const send = (message: ThreadReady | ThreadAnswer): void => port.postMessage(message)
  let server: ThreadServer
  try {
    server = open((workerData as { file: string }).file)
  } catch (error) {
    send({ ready: false, message: error instanceof Error ? error.message : String(error) })
    return
  }
  port.on('message', (first: ThreadRequest) => {
    const { groups, isLast } = takeWaiting(port, first)
    if (groups.length > 0) {
      const answer = server.run(mergeGroups(groups))
      const isSilent = answer.values.length === 0 && answer.failures.length === 0 && !answer.isLogLong
      send([groups.length, isSilent ? null : answer])
    }
    if (!isLast) return
    server.close()
    port.close()
  })
  send({ ready: true })
}

/** Takes all requests that arrived during the last transaction into the next one; the other side bounds how many. */
const takeWaiting = (port: MessagePort, first: ThreadRequest) => {
  const groups: GroupRequest[] = []
  for (let request: ThreadRequest | undefined = first; request !== undefined; ) {
    if (request === 'stop') return { groups, isLast: true }
    groups.push(request)
    const waiting: { message: ThreadRequest } | undefined = receiveMessageOnPort(port)
    request = waiting?.message
  }
  return { groups, isLast: false }
}
