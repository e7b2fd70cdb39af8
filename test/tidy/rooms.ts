/**
 * Who may import whom, and nothing else. A room is a folder; `mayImport` names folders (with a slash at the end) or
 * files (`*` stands for a part of a name); `types of` allows `import type` alone. What is not listed is forbidden.
 * A room may always import itself.
 */
export type Room = { readonly folder: string; readonly is: string; readonly mayImport: readonly string[] }

const ground = ['src/domain/', 'src/timing/', 'types of src/config/', 'src/telemetry/']
const edge = [...ground, 'src/ports/', 'src/egress/']
/** Rooms of the platform, which know no kind of record; kinds may use all of them. */
const platform = [
  'src/host/',
  'src/cluster/',
  'src/http/',
  'src/persistence/',
  'src/directory/',
  'src/stream/',
  'src/webhooks/',
  'src/didcomm/',
  'src/anoncreds/',
  'src/ledger/',
  'src/biometric/',
]

/** The longest folder that fits a file is its room. */
export const rooms: readonly Room[] = [
  { folder: 'src/domain/', is: 'what all kinds share: limits, codes, ids, deciders', mayImport: [] },
  { folder: 'src/config/', is: 'names and types of every setting', mayImport: ['src/domain/'] },
  { folder: 'src/timing/', is: 'time limits and pauses between repetitions', mayImport: [] },
  {
    folder: 'src/telemetry/',
    is: 'logs and metrics',
    mayImport: ['src/domain/', 'src/timing/', 'types of src/config/'],
  },
  {
    folder: 'src/ports/',
    is: 'what the rooms offer each other',
    mayImport: ['src/domain/'],
  },
  { folder: 'src/egress/', is: 'the safe way out to other hosts', mayImport: ground },
  { folder: 'src/host/', is: 'runs the kinds durably', mayImport: [...ground, 'src/ports/'] },
  { folder: 'src/cluster/', is: 'which node owns an actor', mayImport: [...ground, 'src/ports/'] },
  {
    folder: 'src/cluster/map/',
    is: 'the map of shards, and what each node does to follow it',
    mayImport: [...ground, 'src/ports/', 'src/cluster/json-bytes.ts', 'src/cluster/smoothed-load.ts'],
  },
  {
    folder: 'src/cluster/planner/',
    is: 'which shards are to move, and who decides it',
    mayImport: [...ground, 'src/ports/', 'src/cluster/smoothed-load.ts'],
  },
  { folder: 'src/http/', is: 'the HTTP front door', mayImport: edge },
  { folder: 'src/persistence/', is: 'the journal, the timers and the vault', mayImport: edge },
  { folder: 'src/directory/', is: 'the read side', mayImport: edge },
  { folder: 'src/stream/', is: 'the event stream', mayImport: edge },
  { folder: 'src/webhooks/', is: 'signing and sending of events to tenants', mayImport: edge },
  { folder: 'src/didcomm/', is: 'envelopes and messages of wallets', mayImport: edge },
  { folder: 'src/anoncreds/', is: 'the cryptography of credentials', mayImport: edge },
  { folder: 'src/ledger/', is: 'the Indy ledger', mayImport: edge },
  { folder: 'src/biometric/', is: 'images of faces, and the vendors that check them', mayImport: edge },
  {
    folder: 'src/actors/',
    is: 'the kinds of records, a folder each, and the list of them',
    mayImport: [...edge, ...platform],
  },
  { folder: 'src/cli/', is: 'the commands of the operator', mayImport: ['src/'] },
  { folder: 'src/', is: 'where everything is put together', mayImport: ['src/'] },
  {
    folder: 'sdk/',
    is: 'the wallet of the holder, which knows the service by its public interface',
    mayImport: [],
  },
  {
    folder: 'sdk/core/',
    is: 'the SDK of the holder, on whatever machine',
    mayImport: [],
  },
  { folder: 'sdk/node/', is: 'the SDK on Node', mayImport: ['sdk/core/'] },
  { folder: 'sdk/react-native/', is: 'the SDK on phones', mayImport: ['sdk/core/'] },
  { folder: 'sdk/terminal/', is: 'the SDK in a terminal', mayImport: ['sdk/core/', 'sdk/node/'] },
  {
    folder: 'client/',
    is: 'the client of the tenant, which knows the service by its public interface',
    mayImport: [],
  },
  {
    folder: 'console/',
    is: 'the console in the browser, which knows the service by its public interface',
    mayImport: [],
  },
  { folder: 'bootstrap/', is: 'what runs before anything is installed', mayImport: [] },
  { folder: 'deploy/', is: 'what goes into the image', mayImport: ['src/'] },
  {
    folder: 'bench/baselines/',
    is: 'what a benchmark compares with, free of the code of the service',
    mayImport: ['sdk/'],
  },
  {
    folder: 'bench/',
    is: 'the benchmarks',
    mayImport: [
      'src/',
      'sdk/',
      'client/',
      'tools/',
      'native/campaign/',
      'bench/baselines/',
      'test/integration/console/parts/',
      'test/temporary-folder.ts',
    ],
  },
  {
    folder: 'tools/',
    is: 'the commands of the developer',
    mayImport: ['src/', 'sdk/', 'client/', 'bench/harness/', 'bench/load/', 'bootstrap/', 'tools/vendors/'],
  },
  {
    folder: 'tools/console/pictures/',
    is: 'the pictures of the console',
    mayImport: [
      'tools/harness/',
      'tools/cluster/',
      'src/ledger/sandbox/reserved-ports.ts',
      'test/integration/console/parts/',
      'test/temporary-folder.ts',
    ],
  },
  {
    folder: 'tools/vendors/',
    is: 'the vendors of biometric checks, which share nothing with the service that is held against them',
    mayImport: [],
  },
  {
    folder: 'native/campaign/',
    is: 'the signature engine beside its reference',
    mayImport: ['src/', 'tools/harness/', 'tools/simulate/random.ts'],
  },
  {
    folder: 'test/',
    is: 'the tests',
    mayImport: [
      'src/',
      'sdk/',
      'client/',
      'console/',
      'tools/',
      'native/campaign/',
      'bench/',
      'bootstrap/',
      'deploy/',
    ],
  },
]

/** Packages that only their room may know, so that each can be exchanged in one place. Tests, tools and benchmarks are free. */
export const packageRooms: Readonly<Record<string, readonly string[]>> = {
  nact: ['src/host/'],
  'uWebSockets.js': ['src/http/server/uws*.ts', 'src/http/server/sockets/uws*.ts'],
  'cassandra-driver': ['src/persistence/'],
  'better-sqlite3': ['src/persistence/', 'src/directory/', 'sdk/'],
  kafkajs: ['src/stream/'],
  '@hyperledger/anoncreds-nodejs': ['src/anoncreds/', 'sdk/'],
  '@hyperledger/anoncreds-shared': ['src/anoncreds/', 'sdk/'],
  '@hyperledger/indy-vdr-nodejs': ['src/ledger/', 'sdk/'],
  '@hyperledger/indy-vdr-shared': ['src/ledger/', 'sdk/'],
  zeromq: ['src/ledger/sandbox/'],
  'sodium-native': ['src/persistence/', 'src/didcomm/', 'src/ledger/', 'sdk/'],
  piscina: ['src/anoncreds/', 'src/directory/'],
  pino: ['src/telemetry/'],
  'prom-client': ['src/telemetry/'],
  ws: ['sdk/', 'src/cluster/link/sockets/', 'src/http/server/sockets/node-sockets.ts', 'src/egress/'],
  '@aws-sdk/': ['src/biometric/aws/'],
  uqr: ['src/actors/invitation/', 'console/'],
  preact: ['console/'],
  'preact-iso': ['console/'],
  rolldown: [],
  commander: ['src/cli/', 'src/cli.ts'],
  '@credo-ts/': ['sdk/'],
}

/** Rooms that may use nothing but the language itself, or nothing but what Node brings. */
export const withoutPackages: readonly string[] = ['src/domain/', 'bootstrap/']
export const withoutNode: readonly string[] = ['src/domain/', 'sdk/core/', 'sdk/react-native/', 'console/']

/** The pure files of a kind, wherever its folder is: the state machine and what it is made of. */
const pureFiles: readonly string[] = ['rules.ts', 'state.ts', 'evolve.ts'].map(
  (file) => `src/actors/*/${file}`,
)

/** What a room must not reach for by itself, because a replay or the simulation has to give the same result again. */
export type Restraint = {
  readonly rooms: readonly string[]
  readonly except: readonly string[]
  readonly without: readonly string[]
  readonly mend: string
}

const clock = ['Date.now', 'new Date()', 'performance', 'setTimeout', 'setInterval']
const chance = [...clock, 'Math.random', 'crypto', 'randomBytes', 'randomInt', 'randomUUID']
const outside = ['process', 'console', 'fetch', 'globalThis', 'Buffer', 'setImmediate', 'queueMicrotask']

export const restraints: readonly Restraint[] = [
  {
    rooms: ['src/domain/', ...pureFiles],
    except: [],
    without: [...chance, ...outside, 'async', 'await'],
    mend: 'let the value come in with the command',
  },
  {
    rooms: ['src/host/', 'src/cluster/', 'src/persistence/shard-log'],
    except: ['src/host/runtime.ts'],
    without: chance,
    mend: 'take it from the Runtime of src/ports/runtime.ts, which the simulation replaces',
  },
]
