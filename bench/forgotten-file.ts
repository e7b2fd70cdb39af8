import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineBenchmark } from './harness/benchmark.ts'
import { median } from './harness/statistics.ts'
import { type ExchangeStage, openStage } from './subjects/exchange-stage.ts'
import { measureServiceStart } from './subjects/service-start.ts'

const RETENTION_MS = 91 * 86_400_000
/** Folding, retirement and sweeping are behind after that. */
const SETTLE_MS = 90_000
/** All that is due in 91 days is due at once then, which no clock of a service that runs brings about. */
const AFTER_JUMP_MS = 5_000
const POLL_MS = 5_000
const FORGET_LIMIT_MS = 1_800_000
const FORGOTTEN_BYTES = 1.5 * 1_024

export const benchmark = defineBenchmark({
  about:
    'Files of an embedded service that issues, finishes and forgets again and again, and its offers meanwhile',
  options: {
    credentials: { type: 'number', default: 100_000, quick: 5_000, about: 'credentials in all' },
    round: {
      type: 'number',
      default: 20_000,
      quick: 1_000,
      about: 'credentials that are done before they are forgotten together',
    },
    connections: { type: 'number', default: 256, about: 'over which they are issued' },
    at_once: { type: 'number', default: 64, about: 'issuances under way at a time' },
    records_per_s: {
      type: 'number',
      default: 100,
      about:
        'records that the sweep erases in a second at most; 100 is what the service does unless told otherwise',
    },
    offers_per_s: {
      type: 'number',
      default: 20,
      about: 'offers that are timed, alone and beside the forgetting',
    },
    seconds: { type: 'number', default: 60, quick: 20, about: 'for which offers are timed alone' },
    starts: { type: 'number', default: 3, about: 'starts of the service on the files at the end' },
  },
  bars: {
    files_to_allowed_ratio: { atMost: 1 },
    offer_p99_ratio: { atMost: 2 },
    service_ready_s: { atMost: 3 },
  },
  async run({ options, open, progress, note }) {
    const { at_once: atOnce, offers_per_s: perS, credentials, round } = options
    const folder = mkdtempSync(join(tmpdir(), 'bench-forgotten-'))
    await open({ [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) })
    const environment = { VOUCHSAFE_RETENTION_RECORDS_PER_SECOND_MAX: String(options.records_per_s) }
    const stage = await openStage(open, {
      engine: 'auto',
      atOnce,
      publish: true,
      prepared: true,
      folder,
      environment,
    })
    const connections = await stage.connect(options.connections)
    await issue(stage, connections, Math.min(round, 500))
    const alone = await stage.offer(connections, perS, options.seconds * 1_000)
    progress(`offers alone: p99 ${alone.p99Ms.toFixed(1)} ms`)
    let [firstBytes, peakBytes] = [0, 0]
    const besideMs: number[] = []
    const startedMs = performance.now()
    for (let issued = 0; issued < credentials; ) {
      await issue(stage, connections, round)
      issued += round
      await passed(SETTLE_MS)
      const bytes = bytesIn(folder)
      if (firstBytes === 0) firstBytes = bytes
      progress(`${issued} issued: ${megabytes(bytes)} MB`)
      const forgetting = forgetAll(stage)
      await passed(AFTER_JUMP_MS)
      const seconds = round / options.records_per_s + SETTLE_MS / 1_000
      besideMs.push((await stage.offer(connections, perS, seconds * 1_000)).p99Ms)
      await forgetting
      peakBytes = Math.max(peakBytes, bytesIn(folder))
      progress(
        `forgotten: ${megabytes(bytesIn(folder))} MB, p99 of an offer ${besideMs.at(-1)?.toFixed(1)} ms`,
      )
      await stage.checkWebhooks()
    }
    const tookS = (performance.now() - startedMs) / 1_000
    // What was offered beside the last forgetting goes too.
    await passed(SETTLE_MS)
    await forgetAll(stage)
    await passed(SETTLE_MS)
    const lastBytes = bytesIn(folder)
    await stage.parts.service[Symbol.asyncDispose]()
    const starts: number[] = []
    for (let start = 0; start <= options.starts; start++)
      starts.push((await measureServiceStart(folder)).readyMs / 1_000)
    note(
      'All files of the data folder, with what is written ahead; offers that were timed are not counted as forgotten.',
    )
    note('All offers have one nonce, and wallets one request for all of them.')
    return {
      first_round_mb: firstBytes / 2 ** 20,
      peak_mb: peakBytes / 2 ** 20,
      files_mb: lastBytes / 2 ** 20,
      files_to_allowed_ratio: lastBytes / (firstBytes + FORGOTTEN_BYTES * credentials),
      grown_kb_for_each: (lastBytes - firstBytes) / 1_024 / credentials,
      offer_p99_alone_ms: alone.p99Ms,
      offer_p99_beside_ms: median(besideMs),
      offer_p99_ratio: median(besideMs) / alone.p99Ms,
      service_first_ready_s: starts[0] ?? Number.NaN,
      service_ready_s: median(starts.slice(1)),
      seconds: tookS,
    }
  },
})

const issue = async (stage: ExchangeStage, connections: readonly string[], count: number): Promise<void> => {
  for (let done = 0; done < count; done += connections.length)
    await stage.issue(connections.slice(0, count - done))
}

/** The retention of all that is finished is over; resolves when it is swept. */
const forgetAll = async ({ parts: { service } }: ExchangeStage): Promise<void> => {
  const finishedMs = (await service.call('forward', RETENTION_MS)).value
  const endMs = performance.now() + FORGET_LIMIT_MS
  do {
    if (performance.now() > endMs) throw new Error('retention does not come to an end')
    await passed(POLL_MS)
  } while ((await service.call('unswept', finishedMs)).value > 0)
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) =>
        sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
