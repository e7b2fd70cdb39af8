import { serve } from './cli/serve.ts'
import { readEnvironment } from './config/environment.ts'

// Whatever still holds the event loop after an orderly stop must not keep the process.
process.exit(await serve(readEnvironment(process.env)))
