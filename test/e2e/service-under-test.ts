import type { LogEvent } from '../../src/telemetry/events.ts'
import type { LogFields } from '../../src/telemetry/fields.ts'
import type { Log } from '../../src/telemetry/logger.ts'
import { against } from './against.ts'
import { backends } from './backends.ts'
import { clusterService } from './cluster-service.ts'
import { freshFolder, type RunningService, runningService, type Surroundings } from './running-service.ts'
import { type StoredTruth, truthInFolder } from './stored-truth.ts'

/** A service with an organisation of the test's own, and what a test may know of it beside its answers. */
export type ServiceUnderTest = Pick<RunningService, 'tenant' | 'apiKey' | 'order' | 'send'> & {
  /** Where the next request goes. */
  readonly url: () => string
  /** What wallets are invited to, and what pages of the console come from. */
  readonly publicUrl: string
  /** Of every process. */
  readonly metrics: () => Promise<string>
  /** How often what the actor owes was tried in vain. */
  readonly failedAttempts: (actor: string) => number
  readonly stored: StoredTruth
  readonly close: () => Promise<unknown>
}

export type PlaceUnderTest = {
  readonly name: string
  readonly open: (surroundings?: Surroundings) => Promise<ServiceUnderTest>
}

type SettingsIn = (folder: string) => Promise<Readonly<Record<string, string>>>

/** A service of the test's own, in its process. */
export const embeddedService = async (
  settings: SettingsIn = async () => ({}),
  surroundings: Surroundings = {},
): Promise<ServiceUnderTest> => {
  const folder = freshFolder()
  const failed: (string | null | undefined)[] = []
  const log: Log = Object.assign(
    (event: LogEvent, fields: LogFields = {}) => {
      if (event === 'actor.failed' && fields.part === 'effect') failed.push(fields.actor)
    },
    { flush: () => undefined },
  )
  const { app, ...service } = await runningService(await settings(folder), folder, { log, ...surroundings })
  return {
    ...service,
    url: () => app.url,
    publicUrl: app.url,
    metrics: async () => (await fetch(`${app.privateUrl}/metrics`)).text(),
    failedAttempts: (actor) => failed.filter((each) => each === actor).length,
    stored: truthInFolder(folder),
    close: () => app.stop(),
  }
}

const clusterPlace = (): PlaceUnderTest => ({
  name: `a cluster of three nodes, asked at ${String(against)}`,
  open: (surroundings = {}) => {
    if (Object.keys(surroundings).length > 0) throw new Error('nodes have surroundings of their own')
    return clusterService(against ?? 'any')
  },
})

/** Every place that the suite is to be shown on: the shared cluster alone, where one is asked for. */
export const placesUnderTest: readonly PlaceUnderTest[] =
  against === null
    ? backends.map(({ name, settings }) => ({
        name,
        open: (surroundings) => embeddedService(settings, surroundings),
      }))
    : [clusterPlace()]

/** The first of them, for tests that one place is enough for. */
export const serviceUnderTest = (): Promise<ServiceUnderTest> =>
  against === null ? embeddedService() : clusterPlace().open()
