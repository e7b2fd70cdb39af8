import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { jsonFile } from './json-file.ts'
import { orders } from './orders.ts'
import { listed, type Output } from './output.ts'
import type { Order } from './run-order.ts'
import type { Answer, Call } from './service-call.ts'

const POLL_MS = 500
const POLL_MS_MAX = 2_000
const WAIT_MAX_MS = 300_000

/** What organisations publish: schemas, credential definitions and proof templates. */
export const registerPublishing = (program: Command, order: Order): void => {
  registerSchemas(program, order)
  registerDefinitions(program, order)
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

const registerSchemas = (program: Command, order: Order): void => {
  const schemas = program.command('schema').description('schemas')
  schemas
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
  schemas
    .command('retry <tenant> <id>')
    .description('try to publish a schema again that has failed')
    .action(
      order(async (call, shown: Ordered, output) =>
        untilPublished(
          await orders['schema retry'](call, shown),
          () => orders['schema show'](call, shown),
          output,
        ),
      ),
    )
  schemas
    .command('deprecate <tenant> <id>')
    .description('let no credential definition be made for a schema any more')
    .action(order(orders['schema deprecate']))
}

const registerDefinitions = (program: Command, order: Order): void => {
  const definitions = program.command('definition').description('credential definitions')
  const untilThere = (call: Call, made: Answer, shown: Ordered, output: Output) =>
    untilPublished(made, () => orders['definition show'](call, shown), output, {
      progress: async () => keysText(await orders['definition keys'](call, shown)),
    })
  definitions
    .command('publish <tenant>')
    .description('make keys for a schema and publish the credential definition')
    .requiredOption('--schema <schema>', 'catalogue id of the schema')
    .option('--tag <tag>', 'tells definitions of one schema apart', 'default')
    .action(
      order(async (call, { tenant, schema: schemaId, tag }: NewDefinition, output) => {
        const made = await orders['definition publish'](call, { tenant, schemaId, tag })
        return untilThere(call, made, { tenant, id: String(made['id']) }, output)
      }),
    )
  definitions
    .command('keys <tenant> <id>')
    .description('show how far its keys are')
    .action(order(orders['definition keys']))
  definitions
    .command('retry <tenant> <id>')
    .description('try to publish a credential definition again that has failed')
    .action(
      order(async (call, shown: Ordered, output) =>
        untilThere(call, await orders['definition retry'](call, shown), shown, output),
      ),
    )
  definitions
    .command('deprecate <tenant> <id>')
    .description('let nothing be offered with a credential definition any more')
    .action(order(orders['definition deprecate']))
}

const keysText = ({ state, runningSeconds }: Answer): string | null => {
  if (state === 'waiting') return 'Its keys wait for their turn …'
  return state === 'running' ? `Its keys are being made, for ${String(runningSeconds)} s now …` : null
}

type Ordered = { readonly tenant: string; readonly id: string }
type NewSchema = { readonly tenant: string; readonly schemaVersion: string }
type NewDefinition = { readonly tenant: string; readonly schema: string; readonly tag: string }
type NewTemplate = { readonly tenant: string; readonly file: object }

type Waiting = {
  /** What a person reads while it goes on, where there is more to say. */
  readonly progress?: () => Promise<string | null>
  readonly pollMs?: number
}

/** Looks again until the ledger has taken or refused it; a person sees that it goes on. */
export const untilPublished = async (
  first: Answer,
  look: () => Promise<Answer>,
  output: Output,
  { progress = () => Promise.resolve(null), pollMs = POLL_MS }: Waiting = {},
): Promise<Answer> => {
  let now = first
  let pauseMs = pollMs
  for (let waitedMs = 0; isOnItsWay(now) && waitedMs < WAIT_MAX_MS; waitedMs += pauseMs) {
    output.progress((await progress()) ?? 'It is on its way to the ledger …')
    await wait(pauseMs)
    now = await look()
    // Each look is a line in the audit log of the organisation.
    pauseMs = Math.min(POLL_MS_MAX, pauseMs * 2)
  }
  if (now['status'] === 'awaiting_endorsement')
    output.note('It waits for an operator: vouchsafe endorsements list.')
  return now
}

const isOnItsWay = ({ status }: Answer): boolean => status === 'pending' || status === 'endorsed'
