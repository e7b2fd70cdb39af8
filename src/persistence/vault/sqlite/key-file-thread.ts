import { serveThread } from '../../sqlite/serve-thread.ts'
import { openKeyFileServer } from './key-file-server.ts'

serveThread((file) => openKeyFileServer(file))
