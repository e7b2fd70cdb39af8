import type { IndyVdrRequest } from '@hyperledger/indy-vdr-nodejs'
import {
  CredentialDefinitionRequest,
  CustomRequest,
  GetAcceptanceMechanismsRequest,
  GetAttribRequest,
  GetCredentialDefinitionRequest,
  GetNymRequest,
  GetSchemaRequest,
  GetTransactionAuthorAgreementRequest,
  GetTransactionRequest,
  indyVdr,
  IndyVdrError,
  NymRequest,
  PoolCreate,
  SchemaRequest,
} from '@hyperledger/indy-vdr-nodejs'
import koffi from 'koffi'
import { definitionId, schemaId } from './indy-ids.ts'
import type { FromProcess, ReadQuery, ToProcess, ProcessStart, WriteDraft } from './indy-messages.ts'

/**
 * A separate process, because the client's wrapper spins while a request is pending, and its native threads abort a
 * process that ends while they are at work.
 */

// Native calls run on stacks of 128 KiB by default, too small for this library.
koffi.config({ async_stack_size: 2 << 20 })

/**
 * Three nodes are asked, and the fourth where one of them is dead; whoever has acknowledged a write is waited for twice as
 * long as that. All of it is over when nobody waits for the answer any more, because until then a whole core waits.
 */
const configure = (callTimeoutMs: number): void => {
  const seconds = (ms: number): number => Math.max(1, Math.floor(ms / 1_000))
  indyVdr.setConfig({
    config: {
      // By default a new connection is opened every 10 requests or 5 s, which costs most of a read's time.
      conn_request_limit: 100_000,
      conn_active_timeout: 3600,
      // By default 20 s, and 60 s for who has acknowledged.
      ack_timeout: seconds(callTimeoutMs / 4),
      reply_timeout: seconds(callTimeoutMs / 2),
    },
  })
}

let pool: PoolCreate | null = null

const opened = (): PoolCreate => {
  if (!pool) throw new Error('the pool has not been named')
  return pool
}

const readRequest = (query: ReadQuery): IndyVdrRequest => {
  switch (query.kind) {
    case 'nym':
      return new GetNymRequest({ dest: query.did })
    case 'schema':
      return new GetSchemaRequest({ schemaId: query.id })
    case 'definition':
      return new GetCredentialDefinitionRequest({ credentialDefinitionId: query.id })
    case 'attribute':
      return new GetAttribRequest({ targetDid: query.did, raw: query.name })
    case 'agreement':
      return new GetTransactionAuthorAgreementRequest({})
    case 'mechanisms':
      return new GetAcceptanceMechanismsRequest({})
    case 'transaction':
      return new GetTransactionRequest({ ledgerType: query.ledger, seqNo: query.seqNo })
  }
}

const writeRequest = (draft: WriteDraft): IndyVdrRequest => {
  const submitterDid = draft.author
  if (draft.kind === 'nym') return new NymRequest({ submitterDid, dest: draft.did, verkey: draft.verkey })
  if (draft.kind === 'schema') {
    const id = schemaId(draft.author, draft.name, draft.version)
    const { name, version } = draft
    return new SchemaRequest({
      submitterDid,
      schema: { id, name, version, attrNames: [...draft.attributes], ver: '1.0' },
    })
  }
  const value = draft.value as { primary: Record<string, unknown> }
  const id = definitionId(draft.author, draft.schemaSeqNo, draft.tag)
  const schema = String(draft.schemaSeqNo)
  return new CredentialDefinitionRequest({
    submitterDid,
    credentialDefinition: { ver: '1.0', id, schemaId: schema, type: 'CL', tag: draft.tag, value },
  })
}

const work = async (message: ToProcess): Promise<string> => {
  if (message.do === 'read')
    return JSON.stringify((await opened().submitRequest(readRequest(message.query))).result)
  if (message.do === 'submit') {
    const request = new CustomRequest({ customRequest: message.request })
    return JSON.stringify((await opened().submitRequest(request)).result)
  }
  if (message.do === 'refresh') {
    await opened().refresh()
    return 'null'
  }
  const request = writeRequest(message.draft)
  if (message.endorser !== null) request.setEndorser({ endorser: message.endorser })
  const { acceptance } = message
  if (acceptance !== null) request.setTransactionAuthorAgreementAcceptance({ acceptance: { ...acceptance } })
  const drafted = JSON.stringify({ request: request.body, input: request.signatureInput })
  request.free()
  return drafted
}

/** The code with which the client itself refuses a request that it cannot even serialise. */
const INPUT_ERROR = 4

const isRefusal = (error: unknown, reason: string): boolean =>
  (error instanceof IndyVdrError && error.code === INPUT_ERROR) ||
  /InvalidClientRequest|UnauthorizedClientRequest|REQNACK|REJECT/.test(reason)

const answer = async (message: ToProcess): Promise<void> => {
  const call = message.call
  let reply: FromProcess
  try {
    reply = { call, text: await work(message) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    reply = isRefusal(error, reason) ? { call, refused: reason } : { call, failed: reason }
  }
  process.send?.(reply)
}

process.on('message', (message: ToProcess | ProcessStart) => {
  if (!('genesis' in message)) return void answer(message)
  try {
    configure(message.callTimeoutMs)
    pool = new PoolCreate({ parameters: { transactions: message.genesis } })
  } catch {
    // Each call will fail because there is no pool.
  }
})
process.on('disconnect', () => process.exit(0))
// A signal to the whole process group is meant for the service, which still needs the ledger while it drains.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
