import { serveThread } from './serve-thread.ts'
import { Writer } from './writer.ts'

serveThread((file) => new Writer(file))
