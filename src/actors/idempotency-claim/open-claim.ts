import type { Ref } from '../../domain/references.ts'
import type { IdempotentRequest } from '../../http/route/idempotency.ts'
import { ask, claimOf, type IdempotencyPorts } from './idempotency.ts'
import type { ClaimTypes } from './rules.ts'

/** A request under a key, with the fingerprint of its body. */
export type KeyedRequest = Omit<IdempotentRequest, 'body'> & { readonly fingerprint: string }

type Ports = Pick<IdempotencyPorts, 'actors' | 'vault' | 'runtime'>

export type OpenClaim =
  | {
      readonly is: 'claimed'
      /** Where the id was given before, the record may be there already, and then nothing is decided again. */
      readonly recordId: string
      readonly isNew: boolean
      /** It was refused: the key may be used for another request. */
      readonly release: () => Promise<void>
    }
  | { readonly is: 'reused' | 'in-progress' }

/**
 * Claims a key without holding it: whoever comes next with the same request goes on with the same record, at once, and
 * making it twice is harmless. So no crash leaves anybody waiting, and what became of the request need not be noted.
 */
export const claimOpenly = async (
  ports: Ports,
  request: KeyedRequest,
  proposedId: string,
): Promise<OpenClaim> => {
  const claim = await claimOf(ports.vault, request)
  return claimKnown(ports, request, claim, proposedId)
}

/** The same where it is known already which claim the key has. */
export const claimKnown = async (
  ports: Omit<Ports, 'vault'>,
  request: Pick<KeyedRequest, 'tenant' | 'fingerprint'>,
  claim: Ref<ClaimTypes>,
  proposedId: string,
): Promise<OpenClaim> => {
  const { runtime } = ports
  const { fingerprint } = request
  const [run, atMs] = [runtime.newId(), Math.floor(runtime.now())]
  const asked = { type: 'Claim', run, recordId: proposedId, fingerprint, atMs, runUntilMs: atMs } as const
  const reply = await ask(ports, request, claim, asked)
  if (reply.is === 'reused') return { is: 'reused' }
  if (reply.is !== 'run' && reply.is !== 'answered') return { is: 'in-progress' }
  const { recordId } = reply
  const release = async (): Promise<void> => void (await ask(ports, request, claim, { type: 'Release', run }))
  return { is: 'claimed', recordId, isNew: recordId === proposedId, release }
}
