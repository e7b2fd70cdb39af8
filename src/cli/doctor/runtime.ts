import { type Check, always, broken, fine } from './check.ts'

const NODE_MAJOR = 22
/** No release of the product is older, so an earlier date means a wrong clock. */
const EARLIEST_MS = Date.UTC(2026, 10, 1)
const LATEST_MS = Date.UTC(2038, 0, 19)
const CLOCK_SAMPLE_MS = 200
const CLOCK_DRIFT_MS_MAX = 50

export const nodeVersion: Check = {
  name: 'node',
  applies: always,
  run: async () => {
    const { node, modules } = process.versions
    return Number(node.split('.')[0]) === NODE_MAJOR
      ? fine(`${node} (modules ${modules})`)
      : broken(
          `this is Node ${node}`,
          `start through npm (npm start, npm run vouchsafe), which brings Node ${NODE_MAJOR} along`,
        )
  },
}

/** Checks without a time server: the date is possible, and the wall clock runs as fast as the monotonic one. */
export const clock: Check = {
  name: 'clock',
  applies: always,
  run: async () => {
    const [wallBefore, steadyBefore] = [Date.now(), performance.now()]
    await new Promise((resolve) => setTimeout(resolve, CLOCK_SAMPLE_MS))
    const drift = Math.abs(Date.now() - wallBefore - (performance.now() - steadyBefore))
    const now = new Date(wallBefore)
    if (wallBefore < EARLIEST_MS || wallBefore > LATEST_MS) {
      return broken(
        `the clock says ${now.toISOString()}`,
        'set the time of this machine, best by NTP: expiry and timers depend on it',
      )
    }
    return drift <= CLOCK_DRIFT_MS_MAX
      ? fine(now.toISOString())
      : broken(
          `the clock moved ${Math.round(drift)} ms against itself in ${CLOCK_SAMPLE_MS} ms`,
          'let NTP slew the clock instead of setting it in steps',
        )
  },
}
