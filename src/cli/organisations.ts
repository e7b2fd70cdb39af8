import { Argument, type Command, InvalidArgumentError } from 'commander'
import { endorsementModes } from '../domain/publishing.ts'
import { orders } from './orders.ts'
import type { Order } from './run-order.ts'
import type { Answer } from './service-call.ts'

/** Organisations and their API keys. */
export const registerOrganisations = (program: Command, order: Order): void => {
  registerTenants(program, order)
  registerKeys(program, order)
}

const registerTenants = (program: Command, order: Order): void => {
  const tenants = program.command('tenant').description('organisations')
  tenants
    .command('create <name>')
    .description('create an organisation and its identity on the ledger')
    .action(order(orders['tenant create']))
  tenants.command('show <tenant>').description('show an organisation').action(order(orders['tenant show']))
  tenants
    .command('list')
    .description('list them, newest first, a hundred at a time')
    .option('--page <number>', 'which hundred', wholeNumber, 1)
    .action(order(orders['tenant list'], list))
  tenants
    .command('suspend <tenant>')
    .description('refuse its keys and sessions; messages of its holders go on')
    .action(order(orders['tenant suspend']))
  tenants.command('resume <tenant>').description('end the suspension').action(order(orders['tenant resume']))
  tenants
    .command('delete <tenant> <name>')
    .description('delete an organisation, named once more to confirm; it begins after 7 days')
    .action(order(orders['tenant delete']))
  tenants
    .command('restore <tenant>')
    .description('call the deletion back, as long as it has not begun')
    .action(order(orders['tenant restore']))
  tenants
    .command('endorsement <tenant>')
    .description('say who decides about what it writes to the ledger from now on')
    .addArgument(new Argument('<mode>', 'by itself, or by the hand of an operator').choices(endorsementModes))
    .action(order(orders['tenant endorsement']))
  tenants
    .command('ledger-ceiling <tenant>')
    .description('show how often it may write to the ledger in a day, and has, or set that')
    .option('--per-day <number>', 'as many as this from now on', wholeNumber)
    .option('--usual', 'as many as every organisation from now on')
    .action(order(orders['tenant ledger-ceiling']))
  tenants
    .command('rate <tenant>')
    .description('set how many requests all its keys, and each new one, may make in any minute')
    .option('--per-minute <number>', 'all its keys together; none: no such rate', numberOrNone)
    .option('--key-per-minute <number>', 'each new key; none: as many as every key', numberOrNone)
    .action(order(orders['tenant rate']))
}

const registerKeys = (program: Command, order: Order): void => {
  const keys = program.command('key').description('API keys')
  keys
    .command('create <tenant>')
    .description('make an API key; it is shown this once')
    .option('--label <label>', 'what it is for', 'key')
    .action(order(orders['key create']))
  keys
    .command('list <tenant>')
    .description("list an organisation's keys, newest first, a hundred at a time")
    .option('--page <number>', 'which hundred', wholeNumber, 1)
    .action(order(orders['key list'], list))
  keys.command('revoke <key-id>').description('end an API key at once').action(order(orders['key revoke']))
  keys
    .command('rate <key-id>')
    .description('set how many requests an API key may make in any minute')
    .option('--per-minute <number>', 'as many as every key without it', wholeNumber)
    .action(order(orders['key rate']))
}

const wholeNumber = (text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('That is not a whole number.')
  return Number(text)
}

/** Commander makes an empty text of null, so none is zero, which is no rate. */
const numberOrNone = (text: string): number => (text === 'none' ? 0 : wholeNumber(text))

const list = ({ items, total }: Answer): string => {
  const shown = (items as readonly Answer[]).map(line)
  return [...shown, `${shown.length} of ${String(total)}`].join('\n')
}

/** An organisation, or a key with what tells it from the others. */
const line = ({ id, status, name, label, prefix, lastFour, ratePerMinute }: Answer): string =>
  label === undefined
    ? [id, status, name].join('  ')
    : [id, status, `${String(prefix)}…${String(lastFour)}`, ratePerMinute ?? 'usual rate', label].join('  ')
