// The service in a process of its own, on a wall clock that goes ahead by what stands in a file.
import { readFileSync } from 'node:fs'
import { startApp } from '../../../src/app.ts'
import { openService } from '../../../src/compose/service.ts'
import { loadConfig } from '../../../src/config/config.ts'

const LOOK_MS = 20
const { VOUCHSAFE_TEST_CLOCK_FILE: clockFile = '', ...environment } = process.env
let aheadMs = 0
const look = (): void => {
  aheadMs = Number(readFileSync(clockFile, 'utf8'))
}
look()
setInterval(look, LOOK_MS)
const app = await startApp(loadConfig(environment), ({ runtime, ...context }) =>
  openService({ ...context, runtime: { ...runtime, now: () => Date.now() + aheadMs } }),
)
process.stderr.write(`Vouchsafe listens on ${app.url} (metrics: ${app.privateUrl}/metrics).\n`)
process.on('SIGTERM', () => void app.stop().then((inTime) => process.exit(inTime ? 0 : 1)))
