import { serveThread } from '../serve-thread.ts'
import { LogMover } from './log-mover.ts'

serveThread((file) => new LogMover(file))
