import { serveThread } from './serve-thread.ts'
import { openWriter } from './writer.ts'

serveThread((file) => openWriter(file))
