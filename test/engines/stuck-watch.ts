import { Worker } from 'node:worker_threads'

const LIMIT_MS = Number(process.env['VOUCHSAFE_STUCK_AFTER_MS'] ?? 240_000)

/**
 * A test that keeps its thread busy without a pause is never ended by its own time limit, because the timer of that
 * limit cannot run. A second thread notices, says where the first one is, and ends the process: the run goes on.
 */
const watch = (limitMs: number) => `
const { Session } = require('node:inspector')
const { writeSync } = require('node:fs')
const { workerData: beats } = require('node:worker_threads')
const end = (where) => {
  writeSync(2, 'A test has kept its thread busy for ${limitMs} ms and was ended. It was here:\\n' + where + '\\n')
  process.kill(process.pid, 'SIGKILL')
}
const report = () => {
  setTimeout(end, 5000, '  in native code')
  const session = new Session()
  session.connectToMainThread()
  session.once('Debugger.paused', ({ params: { callFrames } }) =>
    end(callFrames.map(({ functionName, url, location }) =>
      '  ' + (functionName || 'a function') + ' ' + url + ':' + (location.lineNumber + 1)).join('\\n')))
  session.post('Debugger.enable')
  session.post('Debugger.pause')
}
let seen = -1
let since = performance.now()
const timer = setInterval(() => {
  const now = Atomics.load(beats, 0)
  if (now !== seen) [seen, since] = [now, performance.now()]
  else if (performance.now() - since > ${limitMs}) { clearInterval(timer); report() }
}, ${Math.min(1_000, limitMs / 4)})
`

const beats = new Int32Array(new SharedArrayBuffer(4))
setInterval(() => Atomics.add(beats, 0, 1), Math.min(1_000, LIMIT_MS / 4)).unref()
new Worker(watch(LIMIT_MS), { eval: true, workerData: beats }).unref()
