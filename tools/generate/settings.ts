import { allSettings, foreignNames, type Group, groupTitles } from '../../src/config/env.ts'
import { type Setting, unitOf } from '../../src/config/setting.ts'
import { limitTable } from '../../src/domain/limits.ts'
import { logEvents } from '../../src/telemetry/events.ts'
import { table } from './table.ts'

/** Every setting with its default, commented out, ready to be copied to .env. */
export const environmentExample = (): string => {
  const lines = [
    '# Every setting and its default. Copy to .env, or set in the environment, what should be different.',
    '# Made by `npm run generate`.',
  ]
  for (const [group, entries] of byGroup()) {
    lines.push('', `# ${groupTitles[group]}`)
    for (const { setting } of entries)
      lines.push(`# ${hint(setting)}`, `#${setting.name}=${written(setting.default)}`)
  }
  return `${lines.join('\n')}\n`
}

export const settingsTable = (): string => {
  const groups = [...byGroup()].map(([group, entries]) => {
    const rows = entries.map(({ setting }) => row(setting))
    return `### ${groupTitles[group]}\n\n${table(['variable', 'default', 'allowed', 'what it does'], rows)}`
  })
  const foreign = Object.entries(foreignNames).map(([name, doc]) => [`\`${name}\``, '', '', doc])
  const others = table(['variable', '', '', 'what it does'], foreign)
  return [...groups, `### Read by other programs\n\n${others}`].join('\n\n')
}

export const limitsTable = (): string =>
  table(
    ['limit', 'value', 'what it bounds'],
    Object.values(limitTable).map(({ value, unit, doc }) => [value.toLocaleString('en-US'), unit, doc]),
  )

export const logEventsTable = (): string =>
  table(
    ['event', 'level', 'meaning'],
    Object.entries(logEvents).map(([name, { level, doc }]) => [`\`${name}\``, level, doc]),
  )

const byGroup = (): Map<Group, ReturnType<typeof allSettings>> =>
  Map.groupBy(allSettings(), ({ group }) => group)

const row = (setting: Setting<unknown>): string[] => {
  const value = written(setting.default)
  const what = setting.allowed === '' ? setting.kind : setting.allowed.replaceAll('|', '\\|')
  const allowed = withUnit(what, setting)
  return [`\`${setting.name}\``, value === '' ? '–' : `\`${value}\``, allowed, setting.doc]
}

const hint = (setting: Setting<unknown>): string => {
  const bounds = withUnit(setting.allowed, setting)
  return bounds === '' ? setting.doc : `${setting.doc} (${bounds})`
}

const withUnit = (bounds: string, { name }: Setting<unknown>): string =>
  [bounds, unitOf(name)].filter(Boolean).join(' ')

const written = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))
