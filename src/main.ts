import { serve } from './cli/serve.ts'
import { readEnvironment } from './config/environment.ts'

process.exitCode = await serve(readEnvironment(process.env))
