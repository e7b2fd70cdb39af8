import { JournalReader } from './reader.ts'
import { serveThread } from './serve-thread.ts'

serveThread((file) => new JournalReader(file))
