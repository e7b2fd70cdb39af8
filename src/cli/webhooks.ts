import type { Command } from 'commander'
import { orders } from './orders.ts'
import { listed } from './output.ts'
import type { Order } from './run-order.ts'

type NewEndpoint = {
  readonly tenant: string
  readonly url: string
  readonly events?: readonly string[] | null
}

/** The endpoint to which an organisation's events are posted. */
export const registerWebhooks = (program: Command, order: Order): void => {
  const webhook = program.command('webhook').description('where an organisation hears of events')
  webhook
    .command('set <tenant>')
    .description('set the address; the secret is shown once, when there was none before')
    .requiredOption('--url <url>', 'https address of the receiver')
    .option('--events <types>', 'comma-separated event types; all without it', listed)
    .action(
      order((call, { tenant, url, events: eventTypes = null }: NewEndpoint) =>
        orders['webhook set'](call, { tenant, url, eventTypes }),
      ),
    )
  webhook.command('show <tenant>').description('show the address').action(order(orders['webhook show']))
  webhook
    .command('rotate <tenant>')
    .description('make a new secret, shown this once; the previous one counts for a day more')
    .action(order(orders['webhook rotate']))
  webhook
    .command('remove <tenant>')
    .description('deliver no events any more')
    .action(order(orders['webhook remove'], () => 'The webhook endpoint is removed.'))
}
