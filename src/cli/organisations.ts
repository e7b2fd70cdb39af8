import { type Command, InvalidArgumentError } from 'commander'
import type { Environment } from '../config/config.ts'
import { type Answer, type Call, ordering } from './operator-call.ts'
import { outputOf } from './output.ts'

/** Organisations and their keys: orders to the running service. */
export const registerOrganisations = (program: Command, environment: Environment): void => {
  const order =
    (run: (call: Call, argument: string, options: Options) => Promise<Answer>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command
      const options = given.at(-2) as Options
      const output = outputOf(command)
      process.exitCode = await ordering(environment, output, async (call) => {
        const answer = await run(call, String(given[0]), options)
        output.result(answer, told(answer))
      })
    }
  registerTenants(program, order)
  registerKeys(program, order)
}

type Order = (
  run: (call: Call, argument: string, options: Options) => Promise<Answer>,
) => (...given: unknown[]) => Promise<void>

const registerTenants = (program: Command, order: Order): void => {
  const tenants = program.command('tenant').description('organisations')
  tenants
    .command('create <name>')
    .description('create an organisation and its identity on the ledger')
    .action(order((call, name) => call('tenant create', { name })))
  tenants
    .command('show <tenant>')
    .description('show an organisation')
    .action(order((call, id) => call('tenant show', { id })))
  tenants
    .command('list')
    .description('list them, newest first, a hundred at a time')
    .option('--page <number>', 'which hundred', wholeNumber, 1)
    .action(order((call, _, { page }) => call('tenant list', { page })))
  tenants
    .command('suspend <tenant>')
    .description('refuse its keys and sessions; messages of its holders go on')
    .action(order((call, tenant) => call('tenant suspend', { tenant })))
  tenants
    .command('resume <tenant>')
    .description('end the suspension')
    .action(order((call, tenant) => call('tenant resume', { tenant })))
}

const registerKeys = (program: Command, order: Order): void => {
  const keys = program.command('key').description('API keys')
  keys
    .command('create <tenant>')
    .description('make an API key; it is shown this once')
    .option('--label <label>', 'what it is for', 'key')
    .action(order((call, tenant, { label }) => call('key create', { tenant, label })))
  keys
    .command('list <tenant>')
    .description("list an organisation's keys, newest first, a hundred at a time")
    .option('--page <number>', 'which hundred', wholeNumber, 1)
    .action(order((call, tenant, { page }) => call('key list', { tenant, page })))
  keys
    .command('revoke <key-id>')
    .description('end an API key at once')
    .action(order((call, id) => call('key revoke', { id })))
  keys
    .command('rate <key-id>')
    .description('set how many requests an API key may make in any minute')
    .option('--per-minute <number>', 'as many as every key without it', wholeNumber)
    .action(order((call, id, { perMinute = null }) => call('key rate', { id, perMinute })))
}

type Options = { readonly label?: string; readonly page?: number; readonly perMinute?: number | null }

const wholeNumber = (text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('That is not a whole number.')
  return Number(text)
}

type Item = Readonly<Record<string, unknown>>

const told = (answer: Answer): string => {
  const { items, total } = answer
  if (!Array.isArray(items)) return lines(answer)
  const shown = (items as readonly Item[]).map(line)
  return [...shown, `${shown.length} of ${String(total)}`].join('\n')
}

/** An organisation, or a key as people tell several apart. */
const line = ({ id, status, name, label, prefix, lastFour, ratePerMinute }: Item): string =>
  label === undefined
    ? [id, status, name].join('  ')
    : [id, status, `${String(prefix)}…${String(lastFour)}`, ratePerMinute ?? 'usual rate', label].join('  ')

const lines = (answer: Answer): string => {
  const shown = Object.entries(answer).filter(([, value]) => value !== null)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${String(value)}`).join('\n')
}
