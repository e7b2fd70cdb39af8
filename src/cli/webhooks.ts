import type { Command } from 'commander'
import { orders } from './orders.ts'
import type { Order } from './run-order.ts'

type SetOptions = { readonly url: string; readonly events?: string }

/** The endpoint to which an organisation's events are posted. */
export const registerWebhooks = (program: Command, order: Order): void => {
  const webhook = program.command('webhook').description('where an organisation hears of events')
  webhook
    .command('set <tenant>')
    .description('set the address; the secret is shown once, when there was none before')
    .requiredOption('--url <url>', 'https address of the receiver')
    .option('--events <types>', 'comma-separated event types; all without it')
    .action(
      order<SetOptions>((call, [tenant = ''], { url, events }) => {
        const eventTypes = events === undefined ? null : events.split(',').map((each) => each.trim())
        return orders['webhook set'](call, { tenant, url, eventTypes })
      }),
    )
  webhook
    .command('show <tenant>')
    .description('show the address')
    .action(order((call, [tenant = '']) => orders['webhook show'](call, { tenant })))
  webhook
    .command('rotate <tenant>')
    .description('make a new secret, shown this once; the previous one counts for a day more')
    .action(order((call, [tenant = '']) => orders['webhook rotate'](call, { tenant })))
  webhook
    .command('remove <tenant>')
    .description('deliver no events any more')
    .action(
      order(
        (call, [tenant = '']) => orders['webhook remove'](call, { tenant }),
        () => 'The webhook endpoint is removed.',
      ),
    )
}
