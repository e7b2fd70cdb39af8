import type { OperationName } from '../api/address.ts'
import type { Gives } from '../api/generated/operations.ts'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { numberText, texts } from '../texts/texts.ts'

type Counted = {
  [Name in OperationName]: Gives[Name] extends { readonly total: number } ? Name : never
}[OperationName]

const said = texts.overview
const EVERY_MS = 15_000

/** Exact counts of what runs and of what wants somebody's eye, each with the way to it. */
export const Now = () => (
  <ul class="tiles" aria-label={said.now}>
    <Tile
      operation="listConnections"
      query={{ state: ['completed'] }}
      text={said.connected}
      to="/console/connections?state=completed"
    />
    <Tile
      operation="listCredentials"
      query={{ state: ['done', 'credential-issued'] }}
      text={said.issued}
      to="/console/credentials?state=credential-issued,done"
    />
    <Tile
      operation="listCredentials"
      query={{ state: ['offer-sent', 'request-received'] }}
      text={said.offered}
      to="/console/credentials?state=offer-sent,request-received"
    />
    <Tile
      operation="listProofs"
      query={{ verified: true }}
      text={said.verified}
      to="/console/proofs?verified=true"
    />
    <Tile
      operation="listWebhookDeliveries"
      query={{ status: 'dead' }}
      text={said.dead}
      to="/console/deliveries?status=dead"
      isBad
    />
  </ul>
)

type TileProps = {
  readonly operation: Counted
  readonly query: object
  readonly text: string
  readonly to: string
  readonly isBad?: boolean
}

const Tile = ({ operation, query, text, to, isBad = false }: TileProps) => {
  const { body } = useAnswer(operation, { query }, { everyMs: usePace(EVERY_MS) })
  const total = body?.total ?? null
  return (
    <li>
      <a class={isBad && total !== null && total > 0 ? 'tile bad' : 'tile'} href={to}>
        <span class="amount">{total === null ? '…' : numberText(total)}</span>
        <span>{text}</span>
      </a>
    </li>
  )
}
