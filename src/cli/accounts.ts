import type { Command } from 'commander'
import { Option } from 'commander'
import type { Environment } from '../config/config.ts'
import { type Answer, type Call, ordering } from './operator-call.ts'
import { outputOf } from './output.ts'

/** People of the console: orders to the running service. */
export const registerAccounts = (program: Command, environment: Environment): void => {
  const order =
    (run: (call: Call, texts: readonly string[], options: Options) => Promise<Answer>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command
      const options = given.at(-2) as Options
      const output = outputOf(command)
      process.exitCode = await ordering(environment, output, async (call) => {
        const answer = await run(call, given.slice(0, -2).map(String), options)
        output.result(answer, told(answer))
      })
    }

  const members = program.command('member').description("an organisation's people of the console")
  members
    .command('invite <tenant> <email-address>')
    .description('make a link with which somebody makes an account; it is shown this once and works once')
    .addOption(new Option('--role <role>', 'what they may do').choices(['admin', 'viewer']).default('admin'))
    .action(
      order((call, [tenant, emailAddress], { role }) =>
        call('member invite', { tenant, emailAddress, role }),
      ),
    )
  members
    .command('list <tenant>')
    .description('list them, newest first')
    .action(order((call, [tenant]) => call('member list', { tenant })))
  members
    .command('remove <tenant> <account>')
    .description('remove one: every session ends, and what was personal is gone')
    .action(order((call, [tenant, id]) => call('member remove', { tenant, id })))

  const operators = program.command('operator').description('operators of the service in the console')
  operators
    .command('invite <email-address>')
    .description('make a link with which an operator makes an account; it is shown this once and works once')
    .action(order((call, [emailAddress]) => call('operator invite', { emailAddress })))
  operators
    .command('list')
    .description('list them, newest first')
    .action(order((call) => call('operator list', {})))
  operators
    .command('remove <account>')
    .description('remove one: every session ends, and what was personal is gone')
    .action(order((call, [id]) => call('operator remove', { id })))
}

type Options = { readonly role?: string }

type Listed = {
  readonly id: string
  readonly emailAddress: string | null
  readonly role: string
  readonly status: string
}

const told = (answer: Answer): string => {
  const { items } = answer
  if (!Array.isArray(items)) return lines(answer)
  if (items.length === 0) return 'There is nobody yet.'
  return (items as readonly Listed[])
    .map(({ id, emailAddress, role, status }) => [id, role, status, emailAddress ?? ''].join('  '))
    .join('\n')
}

const lines = (answer: Answer): string => {
  const width = Math.max(...Object.keys(answer).map((name) => name.length))
  return Object.entries(answer)
    .map(([name, value]) => `${name.padEnd(width)}  ${String(value)}`)
    .join('\n')
}
