import { allSettings, foreignNames, type Group, groupTitles } from '../../src/config/env.ts'
import { type Setting, unitOf } from '../../src/config/setting.ts'
import { limitTable } from '../../src/domain/limits.ts'
import { logEvents } from '../../src/telemetry/events.ts'

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
  const parts = [...byGroup()].map(([group, entries]) =>
    [
      `### ${groupTitles[group]}`,
      '',
      '| variable | default | allowed | what it does |',
      '|---|---|---|---|',
      ...entries.map(({ setting }) => row(setting)),
    ].join('\n'),
  )
  const foreign = Object.entries(foreignNames).map(([name, doc]) => `| \`${name}\` | | | ${doc} |`)
  const others = [
    '### Read by other programs',
    '',
    '| variable | | | what it does |',
    '|---|---|---|---|',
    ...foreign,
  ]
  return [...parts, others.join('\n')].join('\n\n')
}

export const limitsTable = (): string =>
  [
    '| limit | value | what it bounds |',
    '|---|---|---|',
    ...Object.values(limitTable).map(
      ({ value, unit, doc }) => `| ${value.toLocaleString('en-US')} | ${unit} | ${doc} |`,
    ),
  ].join('\n')

export const logEventsTable = (): string =>
  [
    '| event | level | meaning |',
    '|---|---|---|',
    ...Object.entries(logEvents).map(([name, { level, doc }]) => `| \`${name}\` | ${level} | ${doc} |`),
  ].join('\n')

const byGroup = (): Map<Group, ReturnType<typeof allSettings>> =>
  Map.groupBy(allSettings(), ({ group }) => group)

const row = (setting: Setting<unknown>): string => {
  const value = written(setting.default)
  return `| \`${setting.name}\` | ${value === '' ? '–' : `\`${value}\``} | ${allowed(setting)} | ${setting.doc} |`
}

const allowed = (setting: Setting<unknown>): string => {
  const what = setting.allowed === '' ? setting.kind : setting.allowed.replaceAll('|', '\\|')
  return [what, unitOf(setting.name)].filter(Boolean).join(' ')
}

const hint = (setting: Setting<unknown>): string => {
  const bounds = [setting.allowed, unitOf(setting.name)].filter(Boolean).join(' ')
  return bounds === '' ? setting.doc : `${setting.doc} (${bounds})`
}

const written = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))
