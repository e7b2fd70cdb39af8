import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import type { Environment } from '../config/config.ts'
import { awaitPublished } from './await-published.ts'
import { type Answer, type Call, OrderFailed, ordering } from './operator-call.ts'
import { type Output, outputOf } from './output.ts'

/** What organisations publish and where they hear of events: orders to the running service. */
export const registerOperator = (program: Command, environment: Environment): void => {
  const order =
    (run: Run) =>
    async (argument: string, options: Options, command: Command): Promise<void> => {
      const output = outputOf(command)
      process.exitCode = await ordering(environment, output, async (call) => {
        const answer = await run(call, output, argument, options)
        output.result(answer, table(answer))
        const { status, lastError } = answer
        if (status === 'failed')
          throw new OrderFailed(typeof lastError === 'string' ? lastError : 'It failed.')
      })
    }
  registerPublishing(program, order)
  registerWebhooks(program, order)
}

type Run = (call: Call, output: Output, argument: string, options: Options) => Promise<Answer>
type Order = (run: Run) => (argument: string, options: Options, command: Command) => Promise<void>

const registerPublishing = (program: Command, order: Order): void => {
  program
    .command('schema')
    .description('schemas')
    .command('publish <tenant>')
    .description('publish a schema; expiresAt must be among its attributes')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--schema-version <version>', 'such as 1.0')
    .requiredOption('--attributes <names>', 'comma-separated names')
    .action(
      order(async (call, output, tenant, { name = '', schemaVersion: version = '', attributes = '' }) => {
        const names = attributes.split(',').map((each) => each.trim())
        const made = await call('schema publish', { tenant, name, version, attributes: names })
        return awaitPublished(call, 'schema show', made, output)
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
      order(async (call, output, tenant, { schema = '', tag = '' }) => {
        const made = await call('definition publish', { tenant, schemaId: schema, tag })
        return awaitPublished(call, 'definition show', made, output)
      }),
    )
  program
    .command('template')
    .description('proof templates')
    .command('create <tenant>')
    .description('create a proof template from a JSON file: {name, groups, predicates}')
    .requiredOption('--file <file>', 'the file', jsonFile)
    .action(
      order((call, _output, tenant, { file = {} }) =>
        call('template create', { description: null, predicates: [], ...file, tenant }),
      ),
    )
}

const registerWebhooks = (program: Command, order: Order): void => {
  const webhook = program.command('webhook').description('where an organisation hears of events')
  webhook
    .command('set <tenant>')
    .description('set the address; the secret is shown once, when there was none before')
    .requiredOption('--url <url>', 'https address of the receiver')
    .option('--events <types>', 'comma-separated event types; all without it')
    .action(
      order((call, _output, tenant, { url = '', events }) => {
        const eventTypes = events === undefined ? null : events.split(',').map((each) => each.trim())
        return call('webhook set', { tenant, url, eventTypes })
      }),
    )
  const plain = {
    show: 'show the address',
    rotate: 'make a new secret, shown this once; the previous one counts for a day more',
    remove: 'deliver no events any more',
  }
  for (const [name, description] of Object.entries(plain)) {
    webhook
      .command(`${name} <tenant>`)
      .description(description)
      .action(order((call, _output, tenant) => call(`webhook ${name}`, { tenant })))
  }
}

type Options = {
  readonly url?: string
  readonly events?: string
  readonly name?: string
  readonly schemaVersion?: string
  readonly attributes?: string
  readonly schema?: string
  readonly tag?: string
  readonly file?: object
}

const jsonFile = (file: string): object => {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new InvalidArgumentError('That is not a file with JSON in it.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new InvalidArgumentError('The file must hold one JSON object.')
}

const table = (answer: Answer): string => {
  const shown = Object.entries(answer).filter(([, value]) => value !== null)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${shownValue(value)}`).join('\n')
}

const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
