import { Command, InvalidArgumentError } from 'commander'
import { DEVELOPMENT_TENANT } from '../../src/actors/tenant/development-tenant.ts'
import { publishAll, startEmbedded } from './embedded.ts'
import { Organisation } from './organisation.ts'
import type { HeardEvent, Receiver } from './receiver.ts'
import { startReceiver } from './receiver.ts'
import { Timeline } from './timeline.ts'
import type { Visit } from './visit.ts'
import { visit } from './visit.ts'

type Settings = { holders: number; url?: string; key?: string; definition?: string; template?: string }

const HOLDERS_MAX = 50
const holderCount = (text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= HOLDERS_MAX) return value
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${HOLDERS_MAX}.`)
}
const settings = new Command('demo')
  .description('One credential from an API call to a wallet, proved, and its webhooks checked.')
  .option('--holders <count>', 'wallets side by side', holderCount, 1)
  .option('--url <url>', 'of a running service instead of one of our own')
  .option('--key <key>', 'API key for it')
  .option('--definition <id>', 'published credential definition there')
  .option('--template <id>', 'proof template there')
  .parse()
  .opts<Settings>()
const { holders } = settings

const WEBHOOKS_TIMEOUT_MS = 30_000
const timeline = new Timeline()

const refuse = (sentence: string): never => {
  console.error(sentence)
  process.exit(2)
}

/** Side by side; the first that fails fails the demo. */
const visits = (place: Parameters<typeof visit>[0]): Promise<Visit[]> =>
  Promise.all(Array.from({ length: holders }, (_, index) => visit(place, index + 1, timeline)))

const againstRunning = async (url: string): Promise<string[]> => {
  const { key, definition, template } = settings
  if (!key || !definition || !template) {
    return refuse('A running service needs --key, --definition (published) and --template as well.')
  }
  await visits({
    organisation: new Organisation(url, key, timeline),
    definitionId: definition,
    templateId: template,
  })
  return ['issued and verified against the running service (its webhooks go to its own endpoint)']
}

const embedded = async (): Promise<string[]> => {
  const heard = ({ type, data }: HeardEvent): void =>
    timeline.tell('webhook', `${type} ${data.previousState ?? '·'} → ${data.state}`)
  const receiver = await startReceiver(heard)
  timeline.tell('service', 'starting on a new folder')
  const service = await startEmbedded()
  try {
    timeline.tell('service', `ready at ${service.url}`)
    const { secret } = await service.order('webhook set', {
      tenant: DEVELOPMENT_TENANT,
      url: receiver.url,
      eventTypes: null,
    })
    receiver.useSecret(String(secret))
    const published = await publishAll(service, timeline)
    const done = await visits({
      organisation: new Organisation(service.url, service.key, timeline),
      ...published,
    })
    await allHeard(receiver, done)
    return [
      `${done.length} credential(s) issued to real Credo wallets and verified, the disclosed values as issued`,
      `${receiver.events.length} webhooks received, each signature taken for genuine by npm stripe, none refused`,
    ]
  } finally {
    await service.close()
    receiver.close()
  }
}

/** Every change of every record, told once. */
const allHeard = async (receiver: Receiver, done: readonly Visit[]): Promise<void> => {
  const wanted = done.flatMap(({ connectionId, credentialId, proofId }) => [
    ...['request-received', 'response-sent', 'completed'].map((state) => `${connectionId} ${state}`),
    ...['offer-sent', 'request-received', 'credential-issued', 'done'].map(
      (state) => `${credentialId} ${state}`,
    ),
    ...['request-sent', 'presentation-received', 'done'].map((state) => `${proofId} ${state}`),
  ])
  const deadlineMs = performance.now() + WEBHOOKS_TIMEOUT_MS
  for (;;) {
    const heard = new Set(receiver.events.map(({ data }) => `${data.id} ${data.state}`))
    const missing = wanted.filter((change) => !heard.has(change))
    if (receiver.refused.length > 0) throw new Error(`a webhook was refused: ${receiver.refused[0]}`)
    if (missing.length === 0) return
    if (performance.now() > deadlineMs) throw new Error(`never heard of: ${missing.join(', ')}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

try {
  const proved = settings.url === undefined ? await embedded() : await againstRunning(settings.url)
  console.log(`\nProved in ${timeline.seconds.toFixed(1)} s:`)
  for (const line of proved) console.log(`  ${line}`)
  process.exit(0)
} catch (error) {
  console.error(
    `\nThe demo failed after ${timeline.seconds.toFixed(1)} s: ${error instanceof Error ? error.message : String(error)}`,
  )
  process.exit(1)
}
