import { BodyFileServer } from './body-file-server.ts'
import { serveThread } from './serve-thread.ts'

serveThread((file) => new BodyFileServer(file))
