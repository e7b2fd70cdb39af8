import { readFileSync } from 'node:fs'
import { deliveryOf } from '../../../src/actors/webhook-delivery/intake.ts'
import { endpointOf } from '../../../src/actors/webhook-endpoint/rules.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { kindOf } from '../../../src/domain/references.ts'
import { type EngineSettings, engineSettings } from '../../../src/persistence/engine-settings.ts'
import { readActor } from '../../../src/persistence/journal-walk.ts'
import { openForInspection } from '../../../src/persistence/open-engine.ts'
import { existingLayout, paths } from '../../cluster/layout.ts'
import { environmentOf, nodeName, sharedSettings } from '../../cluster/settings.ts'
import { Program } from '../../harness/program.ts'
import { actorsIn } from '../actors-in.ts'
import type { audit } from './tenant-process.ts'

type Audit = Awaited<ReturnType<typeof audit>>
type Found = { readonly problems: readonly string[]; readonly scheduled: number; readonly journal: string }

/** What the journal says when no node runs any more. */
export const auditJournal = async (folder: string, audits: readonly Audit[]): Promise<Found> => {
  const settings = {
    ...sharedSettings(folder, existingLayout(folder)),
    VOUCHSAFE_DATA_FOLDER: paths(folder).data(1),
  }
  const engine = engineSettings(loadConfig(settings))
  const checked = await checkJournal(settings)
  const { problems, scheduled } = await unscheduled(engine, audits)
  const counted = await miscounted(engine, audits)
  return { problems: [...checked.problems, ...problems, ...counted], scheduled, journal: checked.summary }
}

const checkJournal = async (settings: Readonly<Record<string, string>>) => {
  const program = new Program(['src/cli.ts', 'journal', 'check'], {
    env: environmentOf(settings),
    keepsOutput: true,
  })
  const { code, stdout, stderr } = await program.finished
  const summary = stdout.trim().split('\n').at(-1) ?? ''
  const problems = code === 0 ? [] : [`vouchsafe journal check: ${stdout} ${stderr}`]
  return { summary, problems }
}

/** An event that its organisation has not heard is one that a delivery waits for. */
const unscheduled = async (engine: EngineSettings, audits: readonly Audit[]) => {
  const problems: string[] = []
  let scheduled = 0
  const reads = await openForInspection(engine)
  try {
    for (const { tenant, unheard } of audits)
      for (const event of unheard) {
        const { events } = await readActor(reads, deliveryOf(endpointOf(tenant), event))
        if (events.length > 0) scheduled += 1
        else problems.push(`${event} was neither delivered nor scheduled`)
      }
  } finally {
    await reads[Symbol.asyncDispose]()
  }
  return { problems, scheduled }
}

/** A record that nobody was told of is one made twice; one that is missing is one lost. */
const miscounted = async (engine: EngineSettings, audits: readonly Audit[]): Promise<string[]> => {
  const found = new Map<string, number>()
  for (const actor of await actorsIn(engine)) found.set(kindOf(actor), (found.get(kindOf(actor)) ?? 0) + 1)
  const kinds = Object.keys(audits[0]?.made ?? {}) as (keyof Audit['made'])[]
  return kinds.flatMap((kind) => {
    const made = audits.reduce((sum, each) => sum + each.made[kind], 0)
    const there = found.get(kind) ?? 0
    return made === there ? [] : [`the journal has ${there} ${kind}, and ${made} were acknowledged`]
  })
}

/** What the nodes logged as errors, and how often; each is something that a developer should look into. */
export const loggedErrors = (files: readonly { readonly number: number; readonly file: string }[]) => {
  const warnings: Record<string, number> = {}
  const problems: string[] = []
  for (const { number, file } of files)
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [, level = '', event = ''] = /^{"level":"(warn|error)".*"event":"([^"]+)"/.exec(line) ?? []
      if (level === 'warn') warnings[event] = (warnings[event] ?? 0) + 1
      if (level === 'error') problems.push(`${nodeName({ number })} logged ${line.slice(0, 400)}`)
    }
  return { warnings, problems }
}
