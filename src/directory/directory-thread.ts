// The directory's file and its lists in memory, in a thread of their own: a search through a million records takes
// tens of milliseconds, in which the front door must go on.
import { parentPort, workerData } from 'node:worker_threads'
import type { DirectoryAnswer, DirectoryRequest } from './directory-messages.ts'
import { type DirectoryWrite, SqliteDirectory } from './sqlite-directory.ts'

if (parentPort === null) throw new Error('this file runs as a worker thread')
const port = parentPort
const directory = new SqliteDirectory((workerData as { readonly file: string }).file)

const run = ({ operation, input }: DirectoryRequest): unknown => {
  switch (operation) {
    case 'list':
      return directory.list(input as Parameters<SqliteDirectory['list']>[0])
    case 'positionOf':
      return directory.positionOf(input as number)
    case 'writeAll':
      return directory.writeAll(input as readonly DirectoryWrite[])
    case 'close':
      return directory[Symbol.dispose]()
  }
}

const answer = async (request: DirectoryRequest): Promise<void> => {
  const { call } = request
  try {
    port.postMessage({ call, value: await run(request) } satisfies DirectoryAnswer)
  } catch (error) {
    const failed = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    port.postMessage({ call, failed } satisfies DirectoryAnswer)
  }
  if (request.operation === 'close') port.close()
}

port.on('message', (request: DirectoryRequest) => void answer(request))
