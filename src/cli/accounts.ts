import { type Command, Option } from 'commander'
import { orders } from './orders.ts'
import type { Order } from './run-order.ts'
import type { Answer } from './service-call.ts'

/** Accounts of the console. */
export const registerAccounts = (program: Command, order: Order): void => {
  const members = program.command('member').description("an organisation's people of the console")
  members
    .command('invite <tenant> <email-address>')
    .description('make a link with which a person makes an account; it is shown this once and works once')
    .addOption(new Option('--role <role>', 'what they may do').choices(['admin', 'viewer']).default('admin'))
    .action(order(orders['member invite']))
  members
    .command('list <tenant>')
    .description('list them, newest first')
    .action(order(orders['member list'], list))
  members
    .command('remove <tenant> <account>')
    .description('remove one: every session ends, and what was personal is gone')
    .action(order(orders['member remove']))

  const operators = program.command('operator').description('operators of the service in the console')
  operators
    .command('invite <email-address>')
    .description('make a link with which an operator makes an account; it is shown this once and works once')
    .action(order(orders['operator invite']))
  operators
    .command('list')
    .description('list them, newest first')
    .action(order(orders['operator list'], list))
  operators
    .command('remove <account>')
    .description('remove one: every session ends, and what was personal is gone')
    .action(order(orders['operator remove']))
}

type Listed = {
  readonly id: string
  readonly emailAddress: string | null
  readonly role: string
  readonly status: string
}

const list = ({ items }: Answer): string => {
  const accounts = items as readonly Listed[]
  if (accounts.length === 0) return 'There are no accounts yet.'
  return accounts
    .map(({ id, emailAddress, role, status }) => [id, role, status, emailAddress ?? ''].join('  '))
    .join('\n')
}
