import { serve } from './cli/serve.ts'
import { readEnvironment } from './config/environment.ts'

// What the service writes is for its own user, whatever the shell that started it allows.
process.umask(0o077)

// Whatever still holds the event loop after an orderly stop must not keep the process.
process.exit(await serve(readEnvironment(process.env)))
