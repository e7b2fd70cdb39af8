import type { Sdk } from '../core/public.ts'
import { credentials, Mistake, numbered, offers, requests, Shown } from './shown-lists.ts'
import { shownConnection, shownCredential, shownOffer, shownQuestions } from './shown.ts'

type Command = {
  readonly usage: string
  readonly does: string
  readonly run: (wallet: Shown, argument: string) => Promise<readonly string[]>
}

const commands: Readonly<Record<string, Command>> = {
  scan: {
    usage: 'scan LINK',
    does: 'takes an invitation (a link alone does, too)',
    run: async ({ sdk }, link) => [`Asked: ${shownConnection(await sdk.receiveInvitation(link))}.`],
  },
  connections: {
    usage: 'connections',
    does: 'shows the organisations that the wallet is connected with',
    run: async ({ sdk }) => numbered((await sdk.connections()).map(shownConnection), 'No connection yet.'),
  },
  offers: {
    usage: 'offers',
    does: 'shows what is offered',
    run: (wallet) => wallet.show(offers),
  },
  accept: {
    usage: 'accept [NUMBER]',
    does: 'accepts an offer',
    run: async (wallet, number) => {
      const offer = await wallet.chosen(offers, number)
      await wallet.sdk.offers.accept(offer.id)
      return [`Accepted: ${shownOffer(offer)}.`]
    },
  },
  decline: {
    usage: 'decline [NUMBER]',
    does: 'declines an offer',
    run: async (wallet, number) => {
      const offer = await wallet.chosen(offers, number)
      await wallet.sdk.offers.decline(offer.id)
      return [`Declined: ${shownOffer(offer)}.`]
    },
  },
  credentials: {
    usage: 'credentials',
    does: 'shows what the wallet holds',
    run: (wallet) => wallet.show(credentials),
  },
  delete: {
    usage: 'delete NUMBER',
    does: 'deletes a credential, for good',
    run: async (wallet, number) => {
      if (number === '') throw new Mistake('Say which one: delete NUMBER.')
      const credential = await wallet.chosen(credentials, number)
      await wallet.sdk.credentials.delete(credential.id)
      return [`Deleted: ${shownCredential(credential)}.`]
    },
  },
  requests: {
    usage: 'requests',
    does: 'shows what is to be proved',
    run: (wallet) => wallet.show(requests),
  },
  show: {
    usage: 'show [NUMBER]',
    does: 'shows what a request asks for, and what would answer it',
    run: async (wallet, number) => {
      const request = await wallet.chosen(requests, number)
      return [
        `${request.name} asks`,
        ...shownQuestions(request, await wallet.sdk.proofRequests.candidates(request.id)),
      ]
    },
  },
  present: {
    usage: 'present [NUMBER]',
    does: 'proves what a request asks for',
    run: async (wallet, number) => {
      const request = await wallet.chosen(requests, number)
      await wallet.sdk.proofRequests.present(request.id)
      return [`Presented: ${request.name}.`]
    },
  },
  refuse: {
    usage: 'refuse [NUMBER]',
    does: 'declines a request',
    run: async (wallet, number) => {
      const request = await wallet.chosen(requests, number)
      await wallet.sdk.proofRequests.decline(request.id)
      return [`Declined: ${request.name}.`]
    },
  },
  sync: {
    usage: 'sync',
    does: 'fetches messages now (so does an empty line)',
    run: async ({ sdk }) => {
      const { received, waiting } = await sdk.sync()
      return [`${received} messages fetched, ${waiting} still to be sent.`]
    },
  },
  reset: {
    usage: 'reset for good',
    does: 'removes the wallet with everything in it',
    run: async ({ sdk }, argument) => {
      if (argument !== 'for good') throw new Mistake('That removes every credential. Say: reset for good.')
      await sdk.reset()
      return ['The wallet is empty. Start it again.']
    },
  },
}

const LINK = /^(?:https?|didcomm):\/\/\S+$/

/** What a line brings about, as the lines to show. A mistake is a line; what fails is thrown. */
export type RunLine = (line: string) => Promise<readonly string[]>

export const linesFor = (sdk: Sdk): RunLine => {
  const wallet = new Shown(sdk)
  return async (line) => {
    const text = line.trim()
    if (text === 'help') return help()
    const [name = '', ...rest] = LINK.test(text) ? ['scan', text] : text === '' ? ['sync'] : text.split(/\s+/)
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) return [`There is no ${name}.`, ...help()]
    try {
      return await command.run(wallet, rest.join(' '))
    } catch (error) {
      if (error instanceof Mistake) return [error.message]
      throw error
    }
  }
}

const help = (): readonly string[] => [
  ...Object.values(commands).map(({ usage, does }) => `${usage.padEnd(18)} ${does}`),
  `${'quit'.padEnd(18)} ends; the wallet stays`,
]
