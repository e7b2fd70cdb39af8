import { serviceTags, TAG_GROUPS, type Tag } from '../http/openapi/tags.ts'

const [backend, people] = TAG_GROUPS

/** The chapters of the API, in the order of its description. A route names its own. */
export const tags = {
  connections: {
    name: 'Connections',
    description: 'Reach a holder: invite a wallet, and see when it has answered.',
    group: backend,
  },
  credentials: {
    name: 'Credentials',
    description: 'Offer credentials to the holder of a connection and follow each exchange.',
    group: backend,
  },
  proofs: {
    name: 'Proofs',
    description: 'Ask the holder of a connection to prove something, and read what was disclosed.',
    group: backend,
  },
  proofTemplates: {
    name: 'Proof templates',
    description: 'What a proof asks for. Templates are written in the console; a key may read them.',
    group: backend,
  },
  catalogue: {
    name: 'Catalogue',
    description: 'The schemas and credential definitions that the organisation has published.',
    group: backend,
  },
  wallets: {
    name: 'Wallets',
    description: 'Tokens for installations of your app.',
    group: backend,
  },
  webhooks: {
    name: 'Webhooks',
    description: 'Where events are posted to, and the events themselves.',
    group: backend,
  },
  dataProtection: {
    name: 'Data protection',
    description: 'How long personal data is kept, and what was erased.',
    group: backend,
  },
  service: serviceTags.service,
  overview: {
    name: 'Overview',
    description: 'What happens in the organisation, in numbers.',
    group: people,
  },
  biometrics: {
    name: 'Biometrics',
    description: 'The face check before a credential is issued or a proof is released.',
    group: people,
  },
  signingIn: {
    name: 'Signing in',
    description: 'From an invitation to an account, and from a password to a session.',
    group: people,
  },
  ownAccount: {
    name: 'Own account',
    description: 'Password, recovery codes and passkeys of the person who is signed in.',
    group: people,
  },
  members: {
    name: 'Members',
    description: 'The people of an organisation, and what they did.',
    group: people,
  },
  operators: serviceTags.operators,
} as const satisfies Readonly<Record<string, Tag>>
