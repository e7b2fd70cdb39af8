// @ts-check

const QUIET_INTERVAL_MS = 5_000
const LIVE_INTERVAL_MS = 200

/** @param {number} from */
const secondsSince = (from) => `${Math.round((performance.now() - from) / 100) / 10} s`

/** @param {number} bytes */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

/**
 * Says on stderr what is being done, how far it is and how long it took: one line rewritten on a terminal, a line now
 * and then elsewhere. `measure` is asked at each tick.
 * @template Result
 * @param {{ doing: string, done: (result: Result) => string, measure?: () => string }} what
 * @param {() => Promise<Result>} work
 * @param {{ write: (text: string) => unknown, isTTY?: boolean }} output
 */
export const withProgress = async (what, work, output = process.stderr) => {
  const live = output.isTTY === true && process.env.TERM !== 'dumb'
  const begun = performance.now()
  const line = () => [what.doing, what.measure?.(), secondsSince(begun)].filter(Boolean).join(' · ')
  const put = live ? () => output.write(`\r\x1b[2K${line()}`) : () => output.write(`${line()}\n`)
  output.write(live ? `\r\x1b[2K${what.doing} …` : `${what.doing} …\n`)
  const ticking = setInterval(put, live ? LIVE_INTERVAL_MS : QUIET_INTERVAL_MS)
  const clear = live ? '\r\x1b[2K' : ''
  try {
    const result = await work()
    output.write(`${clear}${what.done(result)} (${secondsSince(begun)})\n`)
    return result
  } catch (error) {
    output.write(clear)
    throw error
  } finally {
    clearInterval(ticking)
  }
}
