import type { AnonCredsDidCommProofFormatService } from '@credo-ts/anoncreds'
import WebSocket from 'ws'
import { InboundHttp } from './inbound-http.ts'
import { fetchOrFail, PersistentHttp } from './persistent-http.ts'
import { type AgentOptions, openAgent, type Ways } from './wallet-agent.ts'
import { openDatabase } from './wallet-database.ts'

export type WalletOptions = AgentOptions & {
  readonly label: string
  /** `:memory:` for a wallet that is forgotten. */
  readonly databaseFile: string
  readonly host: string
  readonly port: number
}

/**
 * A real Credo wallet with its own storage and keys: what a phone would run, reachable over HTTP. The proof format is
 * exchanged only by tests, for wallets that cheat.
 */
export const createWallet = async (
  options: WalletOptions,
  proofFormat?: AnonCredsDidCommProofFormatService,
) => {
  const database = openDatabase(options.databaseFile)
  const inbound = new InboundHttp(options.host)
  const endpoint = await inbound.listen(options.port)
  const ways: Ways = {
    fetch: fetchOrFail,
    WebSocketClass: WebSocket,
    endpoints: [endpoint],
    inbound: [inbound],
    outbound: [new PersistentHttp()],
    mediation: false,
  }
  const opened = await openAgent(database, options, ways, proofFormat)
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
