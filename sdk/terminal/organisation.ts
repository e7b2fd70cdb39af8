// The backend of an organisation in a terminal: invites a wallet, offers it a credential and asks it for a proof.
import { parseArgs } from 'node:util'

const USAGE = `npm run organisation -- COMMAND

  invite                          makes a link for a wallet
  connections                     shows who is connected, the newest first
  offer DEFINITION_ID NAME=VALUE  offers a credential; it is good for 30 days unless expiresAt=SECONDS is given
  ask TEMPLATE_ID                 asks for a proof
  proofs                          shows what was proved, the newest first

  --url URL        of the platform (default http://127.0.0.1:8080, or BASE_URL)
  --key KEY        API key of the organisation (or API_KEY)
  --connection ID  whom it is for; the newest connection where it is left out
`

const { values, positionals } = parseArgs({
  options: {
    url: { type: 'string', default: process.env['BASE_URL'] ?? 'http://127.0.0.1:8080' },
    key: { type: 'string', default: process.env['API_KEY'] ?? '' },
    connection: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const CREDENTIAL_DAYS = 30

type Answer = Readonly<Record<string, unknown>>

/** What a person is told instead of a stack. */
class Refusal extends Error {}

const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
  const headers = { Authorization: `Bearer ${values.key}`, 'Content-Type': 'application/json' }
  const asked = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await fetch(values.url.replace(/\/+$/, '') + path, asked).catch((error: unknown) => {
    throw new Refusal(`Nothing answers at ${values.url}.`, { cause: error })
  })
  const json = (await answer.json().catch(() => ({}))) as Answer
  if (answer.ok) return json
  throw new Refusal(`The platform answered ${answer.status}: ${textIn(json['reason'], 'nothing more')}`)
}

const textIn = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise

const items = async (path: string): Promise<readonly Answer[]> =>
  (await call('GET', path))['items'] as Answer[]

const connectionId = async (): Promise<string> => {
  if (values.connection !== '') return values.connection
  const [newest] = await items('/v1/connections?state=completed')
  if (newest === undefined)
    throw new Refusal('Nobody is connected yet: say invite, and open the link in a wallet.')
  return String(newest['id'])
}

const given = (name: string, value: string | undefined): string => {
  if (value !== undefined) return value
  throw new Refusal(`Say which one: ${name} is missing.`)
}

const attributesIn = (words: readonly string[]): Readonly<Record<string, string>> => {
  const seconds = Math.floor(Date.now() / 1_000) + CREDENTIAL_DAYS * 86_400
  const named = words.map((word) => {
    const at = word.indexOf('=')
    if (at < 1) throw new Refusal(`${word} is not of the form NAME=VALUE.`)
    return [word.slice(0, at), word.slice(at + 1)] as const
  })
  return { expiresAt: String(seconds), ...Object.fromEntries(named) }
}

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<readonly string[]>>> = {
  invite: async () => [String((await call('POST', '/v1/connections/invitations', {}))['invitationUrl'])],
  connections: async () =>
    (await items('/v1/connections')).map(
      ({ id, theirLabel, state }) => `${String(id)}  ${textIn(theirLabel, 'a wallet')}, ${String(state)}`,
    ),
  offer: async ([definitionId, ...words]) => {
    const credentialDefinitionId = given('DEFINITION_ID', definitionId)
    const attributes = attributesIn(words)
    const body = { connectionId: await connectionId(), credentialDefinitionId, attributes }
    const { id, state } = await call('POST', '/v1/credentials/offer', body)
    return [`${String(id)}  ${String(state)}`]
  },
  ask: async ([templateId]) => {
    const proofTemplateId = given('TEMPLATE_ID', templateId)
    const body = { connectionId: await connectionId(), proofTemplateId }
    const { id, state } = await call('POST', '/v1/proofs/request', body)
    return [`${String(id)}  ${String(state)}`]
  },
  proofs: async () =>
    (await items('/v1/proofs')).map(({ id, state, verified, disclosed }) => {
      const outcome = verified === true ? `verified, ${JSON.stringify(disclosed)}` : 'not verified'
      return `${String(id)}  ${String(state)}${state === 'done' ? `, ${outcome}` : ''}`
    }),
}

const [name = '', ...words] = positionals
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined || values.help || values.key === '') {
  process.stderr.write(USAGE)
  process.exitCode = values.help ? 0 : 2
} else {
  try {
    for (const line of await command(words)) process.stdout.write(`${line}\n`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
