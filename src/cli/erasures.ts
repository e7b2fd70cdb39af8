import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { newNonce } from '../actors/ids.ts'
import {
  type ErasedLine,
  type ErasureLine,
  exportHead,
  isErased,
  linesIn,
  type OrganisationLine,
  textOf,
} from '../compose/erasures/erasure-file.ts'
import { type Replayed, replayErasures } from '../compose/erasures/replay-erasures.ts'
import { type Config, type Environment, loadConfig } from '../config/config.ts'
import { prepareDataFolder } from '../data-folder.ts'
import { createRuntime } from '../host/runtime.ts'
import { Lifecycle } from '../lifecycle.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { rememberedMark } from '../persistence/open-engine.ts'
import { keyFileOf } from '../persistence/vault/open-vault.ts'
import type { Log } from '../telemetry/logger.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { action } from './action.ts'
import type { Output } from './output.ts'
import { itemsOf } from './orders.ts'
import { type Answer, type Call, callService } from './service-call.ts'
import { refuseWhileServed } from './while-stopped.ts'

export const registerErasures = (program: Command, environment: Environment): void => {
  const erasures = program
    .command('erasures')
    .description('what was erased on request, kept apart from backups and erased again after a restore')
  erasures
    .command('export')
    .description('write what the running service has erased into a file; nothing personal is in it')
    .argument('<file>', 'is replaced when the export is complete')
    .option('--since <time>', 'only what was erased from then on, such as 2026-01-31T12:00:00Z', timeArgument)
    .action(action(async (input: ToExport, output) => exportTo(loadConfig(environment), input, output)))
  erasures
    .command('replay')
    .description('erase again what a restored backup has brought back; the service is stopped')
    .argument('<files...>', 'exports of this installation, in any order')
    .action(
      action(async ({ files }: { readonly files: readonly string[] }, output) =>
        replay(loadConfig(environment), files, output),
      ),
    )
}

type ToExport = { readonly file: string; readonly since?: string }

const DATE_LENGTH = 'yyyy-mm-dd'.length

const timeArgument = (text: string): string => {
  const ms = Date.parse(text)
  const time = Number.isNaN(ms) ? '' : new Date(ms).toISOString()
  // A day that there is not, such as 31 February, would mean a later one, and what was erased before it would be missing.
  if (!/^\d{4}-\d\d-\d\d(T.*Z)?$/.test(text) || !time.startsWith(text.slice(0, DATE_LENGTH)))
    throw new InvalidArgumentError('That is no time such as 2026-01-31T12:00:00Z.')
  return time
}

/** Beside the old file until it is complete, so that a run that is stopped leaves a file that can be replayed. */
const exportTo = async (config: Config, { file, since }: ToExport, output: Output): Promise<boolean> => {
  const call = callService(config.storage.dataFolder)
  // Of this run alone: one that takes longer than the time until the next must not be written into by it.
  const draft = `${file}.${process.pid}.part`
  const open = openSync(draft, 'w', 0o600)
  const counts = { erasures: 0, periods: 0, deletions: 0, calledBack: 0 }
  const unreadable: string[] = []
  try {
    const journal = await identityOf(config)
    writeSync(open, textOf(exportHead({ journal, since: since ?? null, exportedAt: now() })))
    const before = (organisation: string) => {
      unreadable.push(organisation)
      return linesBefore(file, journal, organisation)
    }
    for await (const line of linesOf(call, since, before)) {
      writeSync(open, textOf(line))
      counts[countOf(line)]++
      output.bar(`${sumOf(counts)} lines written …`)
    }
    const lines = sumOf(counts)
    writeSync(open, textOf({ lines }))
    fsyncSync(open)
    renameSync(draft, file)
  } finally {
    closeSync(open)
    rmSync(draft, { force: true })
  }
  const { erasures, deletions, periods } = counts
  for (const organisation of unreadable)
    output.note(
      `${organisation} cannot be read: its period and deletion are those of the file before, if there was one`,
    )
  output.result(
    { file, ...counts, unreadable },
    `${file} has ${erasures} erasures, ${deletions} deleted organisations and the retention periods of ${periods} others.`,
  )
  return unreadable.length === 0
}

/** What the file that is replaced says of an organisation that cannot be asked now: it holds up the export of no other. */
async function* linesBefore(
  file: string,
  journal: string,
  organisation: string,
): AsyncGenerator<OrganisationLine> {
  try {
    for await (const line of linesIn(file, journal))
      if (!isErased(line) && line.organisation === organisation) yield line
  } catch {
    // There is none, or none of this installation.
  }
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count)

const ORGANISATIONS = '/local/tenants'

const countOf = (line: ErasureLine): 'erasures' | 'periods' | 'deletions' | 'calledBack' => {
  if (isErased(line)) return 'erasures'
  if ('changedAt' in line) return 'periods'
  return 'deletionOrderedAt' in line ? 'deletions' : 'calledBack'
}

const now = (): string => new Date().toISOString()

async function* linesOf(
  call: Call,
  since: string | undefined,
  before: (organisation: string) => AsyncGenerator<OrganisationLine>,
): AsyncGenerator<ErasureLine> {
  const from = since === undefined ? '' : `?from=${encodeURIComponent(since)}`
  for await (const { id } of itemsOf(call, ORGANISATIONS)) {
    const organisation = String(id)
    const path = `${ORGANISATIONS}/${organisation}`
    const state = await call('GET', `${path}/forgetting`).catch(() => null)
    yield* state === null ? before(organisation) : linesAbout(organisation, state)
    for await (const erased of itemsOf(call, `${path}/erasures${from}`)) yield erasureOf(organisation, erased)
  }
}

function* linesAbout(organisation: string, state: Answer): Generator<OrganisationLine> {
  const { retentionDays, retentionChangedAt, deletionOrderedAt, deletionCalledBackAt } = state
  const initiator = 'operator'
  if (typeof deletionCalledBackAt === 'string') yield { organisation, initiator, deletionCalledBackAt }
  if (typeof deletionOrderedAt === 'string') yield { organisation, initiator, deletionOrderedAt }
  else if (typeof retentionChangedAt === 'string')
    yield { organisation, retentionDays: Number(retentionDays), changedAt: retentionChangedAt }
}

const erasureOf = (
  organisation: string,
  { recordType, recordId, initiator, erasedAt }: Answer,
): ErasedLine => ({
  organisation,
  recordType: recordType as ErasedLine['recordType'],
  recordId: recordId as string,
  initiator: initiator as ErasedLine['initiator'],
  erasedAt: erasedAt as string,
})

const identityOf = async (config: Config): Promise<string> => {
  const mark = await rememberedMark(engineSettings(config))
  if (mark === null)
    throw new Error('There is no journal here that a service was started on: restore it first.')
  return mark.id
}

/** All files are read before anything is changed. */
const replay = async (config: Config, files: readonly string[], output: Output): Promise<boolean> => {
  const journal = await identityOf(config)
  for (const file of files) for await (const _ of linesIn(file, journal));
  await output.during('No node may run meanwhile, which is looked at,', refuseWhileServed(config))
  prepareDataFolder(config.storage.dataFolder, keyFileOf(config), ({ file }) =>
    output.note(`${file} is open to other users.`),
  )
  const lifecycle = new Lifecycle()
  let replayed: Replayed
  try {
    const log: Log = Object.assign(
      (event: string, fields: { readonly error?: unknown } = {}) =>
        output.note(`${event}: ${fields.error instanceof Error ? fields.error.message : ''}`),
      { flush: () => undefined },
    )
    const runtime = createRuntime()
    const context = { config, log, metrics: createMetrics(), lifecycle, runtime, newNonce }
    const replaying = replayErasures(context, linesOfAll(files, journal))
    replayed = await output.during('What the files say is erased again,', replaying)
  } finally {
    await lifecycle.end((part, error) => output.note(`${part} did not close: ${(error as Error).message}`))
  }
  for (const record of replayed.unreadable)
    output.note(`${record} cannot be read: what was to go has lost its key, and its record does not say so`)
  for (const organisation of replayed.organisations.unfinished)
    output.note(`${organisation} is being deleted: the service goes on with what is left of it`)
  output.result(replayed, said(replayed))
  return replayed.unreadable.length === 0
}

async function* linesOfAll(files: readonly string[], journal: string): AsyncGenerator<ErasureLine> {
  for (const file of files) yield* linesIn(file, journal)
}

const said = ({
  erased,
  erasedBefore,
  unknown,
  unreadable,
  organisations,
  periods,
  swept,
}: Replayed): string => {
  const { deleted, deletedBefore, unfinished, calledBack } = organisations
  return [
    `Erased again: ${erased}. Erased already: ${erasedBefore}. Not in this journal: ${unknown}. Unreadable: ${unreadable.length}.`,
    `Organisations deleted again: ${deleted}. Deleted already: ${deletedBefore}. Not in this journal: ${organisations.unknown}. For the service to finish: ${unfinished.length}. Deletions called back again: ${calledBack}.`,
    `Retention periods set: ${periods}. Erased because their retention is over: ${swept}.`,
  ].join('\n')
}
