import { serve } from './cli/serve.ts'
import { readEnvironment } from './config/environment.ts'

// After an orderly stop the process ends, even if something still holds the event loop.
process.exit(await serve(readEnvironment(process.env)))
