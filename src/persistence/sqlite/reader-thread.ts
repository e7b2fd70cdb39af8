import { Reader } from './reader.ts'
import { serveThread } from './serve-thread.ts'

serveThread((file) => new Reader(file))
