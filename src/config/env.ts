import type { Setting } from './setting.ts'
import { handshakes, http, operations, rates } from './settings/front.ts'
import { ledger } from './settings/ledger.ts'
import { cassandra, journal, storage, stream } from './settings/storage.ts'
import { actors, anoncreds, cluster, egress, policy } from './settings/work.ts'

export const PREFIX = 'VOUCHSAFE_'

/**
 * Every variable that the service reads from its environment. A new one is a single entry in a file under settings/.
 */
export const settings = {
  http,
  operations,
  storage,
  journal,
  cassandra,
  stream,
  ledger,
  actors,
  cluster,
  rates,
  handshakes,
  policy,
  anoncreds,
  egress,
} as const

export type Group = keyof typeof settings

type Values<Settings> = {
  readonly [Key in keyof Settings]: Settings[Key] extends Setting<infer Value> ? Value : never
}

/** The configuration, typed, cross-checked and frozen: the only form in which code sees the environment. */
export type Config = { readonly [Name in Group]: Values<(typeof settings)[Name]> }

export const groupTitles: Record<Group, string> = {
  http: 'Public HTTP',
  operations: 'Logs, metrics, start and stop',
  storage: 'Files on this machine',
  journal: 'Journal',
  cassandra: 'Cassandra (with VOUCHSAFE_JOURNAL=cassandra)',
  stream: 'Event stream',
  ledger: 'Ledger',
  actors: 'Actors',
  cluster: 'Cluster',
  rates: 'Rates',
  handshakes: 'Handshakes',
  policy: 'Defaults for organisations',
  anoncreds: 'Signatures',
  egress: 'Outbound',
}

/** Prefixed variables that other programs of the product read: the bootstrap runs before any configuration exists. */
export const foreignNames: Readonly<Record<string, string>> = {
  VOUCHSAFE_CACHE_FOLDER:
    'Folder for what is fetched once per machine; read by the bootstrap, before this configuration exists.',
}

export const allSettings = (): {
  readonly group: Group
  readonly key: string
  readonly setting: Setting<unknown>
}[] =>
  (Object.keys(settings) as Group[]).flatMap((group) =>
    Object.entries(settings[group] as Record<string, Setting<unknown>>).map(([key, setting]) => ({
      group,
      key,
      setting,
    })),
  )
