import type { Sdk } from '../core/public.ts'
import { shownConnection, shownCredential, shownOffer, shownQuestions, shownRequest } from './shown.ts'

type Command = {
  readonly usage: string
  readonly does: string
  readonly run: (sdk: Sdk, argument: string) => Promise<readonly string[]>
}

class Mistake extends Error {}

const numbered = (lines: readonly string[], none: string): readonly string[] =>
  lines.length === 0 ? [none] : lines.map((line, index) => `${index + 1}. ${line}`)

/** The thing with this number in its list; the first where none is given. */
const chosen = <Thing>(things: readonly Thing[], argument: string, what: string): Thing => {
  const number = argument === '' ? 1 : Number(argument)
  const thing = Number.isInteger(number) ? things[number - 1] : undefined
  if (thing === undefined) throw new Mistake(`There is no ${what} ${argument === '' ? 'yet' : argument}.`)
  return thing
}

const open = async (sdk: Sdk) => (await sdk.proofRequests.list()).filter(({ state }) => state === 'requested')
const offered = async (sdk: Sdk) => (await sdk.offers.list()).filter(({ state }) => state === 'offered')

const commands: Readonly<Record<string, Command>> = {
  scan: {
    usage: 'scan LINK',
    does: 'takes an invitation (a link alone does, too)',
    run: async (sdk, link) => [`Asked: ${shownConnection(await sdk.receiveInvitation(link))}.`],
  },
  connections: {
    usage: 'connections',
    does: 'shows the organisations that the wallet is connected with',
    run: async (sdk) => numbered((await sdk.connections()).map(shownConnection), 'No connection yet.'),
  },
  offers: {
    usage: 'offers',
    does: 'shows what is offered',
    run: async (sdk) => numbered((await sdk.offers.list()).map(shownOffer), 'No offer.'),
  },
  accept: {
    usage: 'accept [NUMBER]',
    does: 'accepts an offer',
    run: async (sdk, number) => {
      const offer = chosen(await offered(sdk), number, 'offer')
      await sdk.offers.accept(offer.id)
      return [`Accepted: ${shownOffer(offer)}.`]
    },
  },
  decline: {
    usage: 'decline [NUMBER]',
    does: 'declines an offer',
    run: async (sdk, number) => {
      const offer = chosen(await offered(sdk), number, 'offer')
      await sdk.offers.decline(offer.id)
      return [`Declined: ${shownOffer(offer)}.`]
    },
  },
  credentials: {
    usage: 'credentials',
    does: 'shows what the wallet holds',
    run: async (sdk) => numbered((await sdk.credentials.list()).map(shownCredential), 'No credential yet.'),
  },
  delete: {
    usage: 'delete NUMBER',
    does: 'deletes a credential, for good',
    run: async (sdk, number) => {
      if (number === '') throw new Mistake('Say which one: delete NUMBER.')
      const credential = chosen(await sdk.credentials.list(), number, 'credential')
      await sdk.credentials.delete(credential.id)
      return [`Deleted: ${shownCredential(credential)}.`]
    },
  },
  requests: {
    usage: 'requests',
    does: 'shows what is to be proved',
    run: async (sdk) => numbered((await sdk.proofRequests.list()).map(shownRequest), 'No request.'),
  },
  show: {
    usage: 'show [NUMBER]',
    does: 'shows what a request asks for, and what would answer it',
    run: async (sdk, number) => {
      const request = chosen(await open(sdk), number, 'request')
      return [
        `${request.name} asks`,
        ...shownQuestions(request, await sdk.proofRequests.candidates(request.id)),
      ]
    },
  },
  present: {
    usage: 'present [NUMBER]',
    does: 'proves what a request asks for',
    run: async (sdk, number) => {
      const request = chosen(await open(sdk), number, 'request')
      await sdk.proofRequests.present(request.id)
      return [`Presented: ${request.name}.`]
    },
  },
  refuse: {
    usage: 'refuse [NUMBER]',
    does: 'declines a request',
    run: async (sdk, number) => {
      const request = chosen(await open(sdk), number, 'request')
      await sdk.proofRequests.decline(request.id)
      return [`Declined: ${request.name}.`]
    },
  },
  sync: {
    usage: 'sync',
    does: 'fetches messages now (so does an empty line)',
    run: async (sdk) => {
      const { received, waiting } = await sdk.sync()
      return [`${received} messages fetched, ${waiting} still to be sent.`]
    },
  },
  reset: {
    usage: 'reset for good',
    does: 'removes the wallet with everything in it',
    run: async (sdk, argument) => {
      if (argument !== 'for good') throw new Mistake('That removes every credential. Say: reset for good.')
      await sdk.reset()
      return ['The wallet is empty. Start it again.']
    },
  },
}

const LINK = /^(?:https?|didcomm):\/\/\S+$/

/** What a line brings about, as the lines to show. A mistake is a line; what fails is thrown. */
export const runLine = async (sdk: Sdk, line: string): Promise<readonly string[]> => {
  const text = line.trim()
  if (text === 'help') return help()
  const [name = '', ...rest] = LINK.test(text) ? ['scan', text] : text === '' ? ['sync'] : text.split(/\s+/)
  const command = commands[name]
  if (command === undefined) return [`There is no ${name}.`, ...help()]
  try {
    return await command.run(sdk, rest.join(' '))
  } catch (error) {
    if (error instanceof Mistake) return [error.message]
    throw error
  }
}

const help = (): readonly string[] => [
  ...Object.values(commands).map(({ usage, does }) => `${usage.padEnd(18)} ${does}`),
  `${'quit'.padEnd(18)} ends; the wallet stays`,
]
