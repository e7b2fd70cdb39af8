import { serveThread } from '../../sqlite/serve-thread.ts'
import { KeyFileServer } from './key-file-server.ts'

serveThread((file) => new KeyFileServer(file))
