import { serve } from './cli/serve.ts'
import { readEnvironment } from './config/environment.ts'

// What the service writes is for its own user, whatever the shell that started it allows.
process.umask(0o077)

// After an orderly stop the process ends, even if something still holds the event loop.
process.exit(await serve(readEnvironment(process.env)))
