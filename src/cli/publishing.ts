import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { jsonFile } from './json-file.ts'
import { orders } from './orders.ts'
import { listed, type Output } from './output.ts'
import type { Order } from './run-order.ts'
import type { Answer } from './service-call.ts'

const POLL_MS = 500
const POLL_MS_MAX = 2_000
const WAIT_MAX_MS = 300_000

/** What organisations publish: schemas, credential definitions and proof templates. */
export const registerPublishing = (program: Command, order: Order): void => {
  program
    .command('schema')
    .description('schemas')
    .command('publish <tenant>')
    .description('publish a schema; expiresAt must be among its attributes')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--schema-version <version>', 'such as 1.0')
    .requiredOption('--attributes <names>', 'comma-separated names', listed)
    .action(
      order(async (call, { schemaVersion: version, ...schema }: NewSchema, output) => {
        const made = await orders['schema publish'](call, { ...schema, version })
        const shown = { tenant: schema.tenant, id: String(made['id']) }
        return untilPublished(made, () => orders['schema show'](call, shown), output)
      }),
    )
  program
    .command('definition')
    .description('credential definitions')
    .command('publish <tenant>')
    .description('make keys for a schema and publish the credential definition')
    .requiredOption('--schema <schema>', 'catalogue id of the schema')
    .option('--tag <tag>', 'tells definitions of one schema apart', 'default')
    .action(
      order(async (call, { tenant, schema: schemaId, tag }: NewDefinition, output) => {
        const made = await orders['definition publish'](call, { tenant, schemaId, tag })
        const shown = { tenant, id: String(made['id']) }
        return untilPublished(made, () => orders['definition show'](call, shown), output)
      }),
    )
  program
    .command('template')
    .description('proof templates')
    .command('create <tenant>')
    .description('create a proof template from a JSON file: {name, groups, predicates}')
    .requiredOption('--file <file>', 'the file', jsonFile)
    .action(
      order((call, { tenant, file }: NewTemplate) => orders['template create'](call, { ...file, tenant })),
    )
}

type NewSchema = { readonly tenant: string; readonly schemaVersion: string }
type NewDefinition = { readonly tenant: string; readonly schema: string; readonly tag: string }
type NewTemplate = { readonly tenant: string; readonly file: object }

/** Looks again until the ledger has taken or refused it; a person sees that it goes on. */
export const untilPublished = async (
  first: Answer,
  look: () => Promise<Answer>,
  output: Output,
  pollMs = POLL_MS,
): Promise<Answer> => {
  let now = first
  let pauseMs = pollMs
  for (let waitedMs = 0; now['status'] === 'pending' && waitedMs < WAIT_MAX_MS; waitedMs += pauseMs) {
    if (waitedMs === 0) output.note(`It is on its way to the ledger …`)
    await wait(pauseMs)
    now = await look()
    // Each look is a line in the audit log of the organisation.
    pauseMs = Math.min(POLL_MS_MAX, pauseMs * 2)
  }
  return now
}
