// The service as `npm start` runs it, but for its first sweep by retention, which begins before the next kill.
import { createOutput } from '../../../src/cli/output.ts'
import { serve } from '../../../src/cli/serve.ts'
import { FIRST_SWEEP_MS } from '../../../src/compose/retention.ts'
import { openService } from '../../../src/compose/service.ts'
import { readEnvironment } from '../../../src/config/environment.ts'
import type { Runtime } from '../../../src/ports/runtime.ts'

const SOON_MS = 300

const sweepingSoon = (runtime: Runtime): Runtime => ({
  ...runtime,
  sleep: (ms, signal) => runtime.sleep(ms === FIRST_SWEEP_MS ? SOON_MS : ms, signal),
})

process.umask(0o077)
process.exit(
  await serve(readEnvironment(process.env), createOutput(false), (context) =>
    openService({ ...context, runtime: sweepingSoon(context.runtime) }),
  ),
)
