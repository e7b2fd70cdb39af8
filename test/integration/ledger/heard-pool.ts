import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeSocket } from '../../../src/ledger/sandbox/node-socket.ts'
import { openSandboxLedger } from '../../../src/ledger/sandbox/pool.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** A request as a node gets it. Each goes to several nodes under one id, which has more digits than numbers here. */
type Heard = { readonly type: string; readonly id: string }

const HOST = '127.0.0.1'

type Hearing = {
  /** Called when the ledger has a request, before its nodes answer. */
  readonly heard?: (request: Heard) => void
  /** What is late gets no answer, and reaches the ledger just before the next request of its type that is not late. */
  readonly isLate?: (request: Heard) => boolean
}

/** A sandbox pool of the test's own, whose requests it hears. */
export const startHeardPool = async (
  name: string,
  { heard = () => undefined, isLate = () => false }: Hearing,
) => {
  const folder = temporaryFolder(name)
  const { nodes, ledger, file, genesis, endorser } = openSandboxLedger({
    folder,
    host: HOST,
    firstPort: await reservePorts(4),
    onBug: (error) => {
      throw error
    },
  })
  const late: { readonly type: string; readonly text: string }[] = []
  const answersTo = (text: string): readonly string[] => {
    const request = requestIn(text)
    if (request === null) return ledger.answerTexts(text)
    const { type } = request
    if (isLate(request)) {
      late.push({ type, text })
      return []
    }
    for (const each of late.filter((one) => one.type === type)) ledger.answerTexts(each.text)
    const answers = ledger.answerTexts(text)
    heard(request)
    return answers
  }
  const sockets = nodes.map((node) => ({ node, socket: new NodeSocket() }))
  await Promise.all(sockets.map(({ node, socket }) => socket.open(node, HOST, answersTo)))
  const genesisFile = join(folder, 'genesis.txn')
  const seedFile = join(folder, 'endorser-seed')
  writeFileSync(genesisFile, genesis)
  writeFileSync(seedFile, endorser.seed.toString('hex'), { mode: 0o600 })
  return {
    genesis,
    endorser,
    size: () => ledger.size,
    /** Of a service that stands on it. */
    settings: {
      VOUCHSAFE_LEDGER: 'indy',
      VOUCHSAFE_LEDGER_NAMESPACE: 'sandbox',
      VOUCHSAFE_LEDGER_GENESIS_FILE: genesisFile,
      VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: seedFile,
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await Promise.all(sockets.map(({ socket }) => socket.close()))
      file[Symbol.dispose]()
    },
  }
}

const requestIn = (text: string): Heard | null => {
  const { operation } = JSON.parse(text) as { readonly operation?: { readonly type?: string } }
  const [, id] = /"reqId":\s*(\d+)/.exec(text) ?? []
  return operation?.type === undefined || id === undefined ? null : { type: operation.type, id }
}
