/** What belongs together, for whoever reads the description; the first path that fits a route is its own. */
export type Tag = {
  readonly name: string
  readonly description: string
  readonly group: (typeof TAG_GROUPS)[number]
  readonly paths: readonly string[]
}

export const TAG_GROUPS = ['For your backend', 'For the console', 'For operators'] as const

const [backend, people, operators] = TAG_GROUPS

export const TAGS: readonly Tag[] = [
  {
    name: 'Connections',
    description: 'Reach a holder: invite a wallet, and see when it has answered.',
    group: backend,
    paths: ['/v1/connections'],
  },
  {
    name: 'Credentials',
    description: 'Offer credentials to the holder of a connection and follow each exchange.',
    group: backend,
    paths: ['/v1/credentials'],
  },
  {
    name: 'Proofs',
    description: 'Ask the holder of a connection to prove something, and read what was disclosed.',
    group: backend,
    paths: ['/v1/proofs'],
  },
  {
    name: 'Proof templates',
    description: 'What a proof asks for. Templates are written in the console; a key may read them.',
    group: backend,
    paths: ['/v1/proof-templates'],
  },
  {
    name: 'Catalogue',
    description: 'The schemas and credential definitions that the organisation has published.',
    group: backend,
    paths: ['/v1/schemas', '/v1/credential-definitions'],
  },
  {
    name: 'Wallets',
    description: 'Tokens for installations of your app.',
    group: backend,
    paths: ['/v1/wallets', '/v1/wallet/'],
  },
  {
    name: 'Webhooks',
    description: 'Where events are posted to, and the events themselves.',
    group: backend,
    paths: ['/v1/webhook', '/v1/events'],
  },
  {
    name: 'Data protection',
    description: 'How long personal data is kept, and what was erased.',
    group: backend,
    paths: ['/v1/data-retention', '/v1/erasures'],
  },
  {
    name: 'Service',
    description: 'The ledger, the health of the service and this description.',
    group: backend,
    paths: ['/v1/ledger', '/v1/health', '/openapi.json'],
  },
  {
    name: 'Biometrics',
    description: 'The face check before a credential is issued or a proof is released.',
    group: people,
    paths: ['/v1/biometric'],
  },
  {
    name: 'Signing in',
    description: 'From an invitation to an account, and from a password to a session.',
    group: people,
    paths: ['/v1/enrolments', '/v1/session', '/v1/sessions'],
  },
  {
    name: 'Own account',
    description: 'Password, recovery codes and passkeys of whoever is signed in.',
    group: people,
    paths: ['/v1/account'],
  },
  {
    name: 'Members',
    description: 'The people of an organisation, and what they did.',
    group: people,
    paths: ['/v1/members', '/v1/audit-log'],
  },
  {
    name: 'Operators',
    description: 'For those who run the service.',
    group: operators,
    paths: ['/v1/operator'],
  },
]

/** Null: a path that nobody has put anywhere yet. */
export const tagOf = (path: string): Tag | null =>
  TAGS.find(({ paths }) => paths.some((each) => path === each || path.startsWith(withSlash(each)))) ?? null

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)
