import type { Command } from 'commander'
import { jsonFile } from './json-file.ts'
import { orders } from './orders.ts'
import type { Order } from './run-order.ts'

type NewPolicy = { readonly tenant: string; readonly file: object }

/** When an organisation's holders pass a face check, and at which account. */
export const registerBiometric = (program: Command, order: Order): void => {
  const biometric = program.command('biometric').description('face checks of an organisation')
  biometric
    .command('set <tenant>')
    .description('set the policy; the account is tried before anything is saved')
    .requiredOption('--file <file>', 'JSON as for PUT /v1/biometric, secrets included', jsonFile)
    .action(order((call, { tenant, file }: NewPolicy) => orders['biometric set'](call, { ...file, tenant })))
  biometric
    .command('show <tenant>')
    .description('show the policy, without secrets')
    .action(order(orders['biometric show']))
  biometric
    .command('test <tenant>')
    .description('try the account that is set')
    .action(order(orders['biometric test']))
}
