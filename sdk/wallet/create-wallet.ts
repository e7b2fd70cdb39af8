import type { AnonCredsDidCommProofFormatService } from '@credo-ts/anoncreds'
import type { AgentContext } from '@credo-ts/core'
import WebSocket from 'ws'
import { InboundHttp } from './inbound-http.ts'
import { fetchOrFail, PersistentHttp } from './persistent-http.ts'
import { type AgentOptions, type Habits, openAgent, type Ways } from './wallet-agent.ts'
import { openDatabase } from './wallet-database.ts'

export type WalletOptions = AgentOptions & {
  readonly label: string
  /** `:memory:` for a wallet that is forgotten. */
  readonly databaseFile: string
  readonly host: string
  readonly port: number
}

/** Where messages come in. */
export type Inbound = {
  /** Answers with the endpoint. */
  listen(port: number): Promise<string>
  start(context: AgentContext): Promise<void>
  stop(): Promise<void>
  /** As if the phone were off. */
  offline: boolean
}

/** The ways of other wallets in the field, older ones among them. */
export type WalletWays = Habits & { readonly inbound?: Inbound }

/**
 * A real Credo wallet with its own storage and keys: what a phone would run, reachable over HTTP. The proof format and the
 * ways are exchanged only by tests, for wallets that cheat and for those of other people.
 */
export const createWallet = async (
  options: WalletOptions,
  proofFormat?: AnonCredsDidCommProofFormatService,
  { inbound = new InboundHttp(options.host), ...habits }: WalletWays = {},
) => {
  const database = openDatabase(options.databaseFile)
  const endpoint = await inbound.listen(options.port)
  const ways: Ways = {
    fetch: fetchOrFail,
    WebSocketClass: WebSocket,
    endpoints: [endpoint],
    inbound: [inbound],
    outbound: [new PersistentHttp()],
    mediation: false,
  }
  const opened = await openAgent(database, { ...options, ...habits }, ways, proofFormat)
  return {
    agent: opened.agent,
    endpoint,
    inbound,
    async close(): Promise<void> {
      await opened.close()
      database.close()
    },
  }
}

export type Wallet = Awaited<ReturnType<typeof createWallet>>
