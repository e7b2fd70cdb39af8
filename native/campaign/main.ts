// npm run engine:campaign
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import { nativeBinaries } from '../../src/anoncreds/native-binary.ts'
import { type AlteredTotals, OUTCOMES } from './altered-tally.ts'
import { type Amounts, Campaign, type Totals } from './campaign.ts'
import { startProcess } from '../../tools/harness/module-process.ts'
import { wholeNumber } from '../../tools/harness/whole-number.ts'
import { Random, seedFrom } from '../../tools/simulate/random.ts'
import { sum } from './members.ts'

const SHARE_LIMIT_MS = 24 * 3_600_000

const {
  seed: givenSeed,
  processes,
  ...amounts
} = new Command('engine:campaign')
  .description('Both engines beside each other on random credentials, presentations and altered inputs.')
  .option('--credentials <count>', 'to issue and prove with', wholeNumber(), 5_000)
  .option('--presentations <count>', 'honest ones for both engines', wholeNumber(), 2_000)
  .option('--altered <count>', 'inputs that were tampered with', wholeNumber(), 20_000)
  .option('--draws <count>', 'signatures on threads for the primes alone', wholeNumber(), 0)
  .option('--threads <count>', 'that sign', wholeNumber(), 4)
  .option('--processes <count>', 'that share the work, each with a seed of its own', wholeNumber(), 1)
  .option('--seed <seed>', 'to repeat a run')
  .parse()
  .opts<Amounts & { seed?: string; processes: number }>()
const seed = seedFrom(givenSeed)
const binarySha256 = hashOfBinary()
const startedAt = performance.now()
print(`seed ${seed}, binary ${binarySha256}`)
const totals = processes > 1 ? await runShares() : await new Campaign(new Random(seed), print).run(amounts)
report(totals)
if (totals.credentials.provedToBoth !== amounts.credentials || triedOf(totals.altered) !== amounts.altered)
  throw new Error('less was done than asked for')
const wallSeconds = Math.round((performance.now() - startedAt) / 1_000)
print(JSON.stringify({ seed, binarySha256, processes, wallSeconds, asked: amounts, ...totals }))

/** A process each, with seeds that follow from the given one; what they did is added up. */
async function runShares(): Promise<Totals> {
  const shares = await Promise.all(Array.from({ length: processes }, (_, index) => runShare(index)))
  return shares.reduce((left, right) => sum(left, right) as Totals)
}

async function runShare(index: number): Promise<Totals> {
  const share = (of: number): number => Math.floor((of + index) / processes)
  const { credentials, presentations, altered, draws, threads } = amounts
  const file = new URL('./campaign.ts', import.meta.url)
  const home = await startProcess<typeof import('./campaign.ts')>(file, {
    callTimeoutMs: SHARE_LIMIT_MS,
    onMessage: (line) => print(`[${index + 1}] ${String(line)}`),
  })
  const { value } = await home.call('runShare', seed + index * 1_000_003, {
    credentials: share(credentials),
    presentations: share(presentations),
    altered: share(altered),
    draws: share(draws),
    threads,
  })
  await home[Symbol.asyncDispose]()
  return value
}

function report({ altered }: Totals): void {
  print(['kind of alteration', ...OUTCOMES].join(' | '))
  for (const [kind, counts] of Object.entries(altered.byKind).sort(([left], [right]) =>
    left.localeCompare(right),
  ))
    print([kind, ...OUTCOMES.map((outcome) => counts[outcome] ?? 0)].join(' | '))
  for (const [reason, times] of Object.entries(altered.reasons)) print(`accepted, ${times}: ${reason}`)
}

function triedOf({ byKind }: AlteredTotals): number {
  return Object.values(byKind).reduce((all, counts) => all + (counts['tried'] ?? 0), 0)
}

/** The hash of the binary that was loaded. */
function hashOfBinary(): string {
  const file = nativeBinaries().find((candidate) => existsSync(candidate))
  if (!file) throw new Error('there is no engine binary for this platform')
  return hash('sha256', readFileSync(file))
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
