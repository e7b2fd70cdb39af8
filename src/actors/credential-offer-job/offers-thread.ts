import { parentPort } from 'node:worker_threads'
import { offersRead } from './read-offers.ts'

const read = offersRead()

parentPort?.on('message', ([id, bytes]: readonly [number, Uint8Array]) => {
  parentPort?.postMessage([id, read(bytes)])
})
