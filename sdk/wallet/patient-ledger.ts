import type { IndyVdrPoolService } from '@credo-ts/indy-vdr'
import type { IndyVdrRequest } from '@hyperledger/indy-vdr-nodejs'
import { CustomRequest, IndyVdrError } from '@hyperledger/indy-vdr-nodejs'
import { patiently } from './patience.ts'

/** indy-vdr's words for a ledger that did not answer: no connection, nobody there, no agreement, no answer in time. */
const AWAY = new Set([2, 6, 30, 32])

const isAway = (error: unknown): boolean => error instanceof IndyVdrError && AWAY.has(error.code)

/**
 * Credo says "not found" of what it could not ask for too, and an offer or a credential that needed it is lost. So the
 * waiting happens below Credo: a request that the ledger did not answer is asked again until it does.
 */
export const waitForLedgers = ({ pools }: Pick<IndyVdrPoolService, 'pools'>, stopping: AbortSignal): void => {
  for (const pool of pools) {
    const submit = pool.submitRequest.bind(pool)
    const submitPatiently = (request: IndyVdrRequest): Promise<unknown> => {
      // Submitting uses a request up.
      const customRequest = request.body
      let next: IndyVdrRequest | null = request
      const attempt = (): Promise<unknown> => {
        const submitted = next ?? new CustomRequest({ customRequest })
        next = null
        return submit(submitted)
      }
      return patiently(attempt, isAway, stopping)
    }
    pool.submitRequest = submitPatiently as typeof pool.submitRequest
  }
}
