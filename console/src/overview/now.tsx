import type { OverviewOfList } from '../api/generated/operations.ts'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { numberText, texts } from '../texts/texts.ts'
import { nowIn } from './outcomes.ts'

const said = texts.overview
const EVERY_MS = 15_000

type Counted = {
  readonly recordType: string
  readonly states: readonly string[]
  readonly text: string
  readonly to: string
  readonly isBad?: boolean
}

const COUNTED: readonly Counted[] = [
  {
    recordType: 'connection',
    states: ['completed'],
    text: said.connected,
    to: '/console/connections?state=completed',
  },
  {
    recordType: 'credential',
    states: ['done', 'credential-issued'],
    text: said.issued,
    to: '/console/credentials?state=credential-issued,done',
  },
  {
    recordType: 'credential',
    states: ['offer-sent', 'request-received'],
    text: said.offered,
    to: '/console/credentials?state=offer-sent,request-received',
  },
  {
    recordType: 'webhook_delivery',
    states: ['dead'],
    text: said.dead,
    to: '/console/deliveries?status=dead',
    isBad: true,
  },
]

/** Exact counts of what there is and of what wants somebody's eye, each with the way to it. */
export const Now = ({ lists }: { readonly lists: readonly OverviewOfList[] | undefined }) => {
  const { body: verified } = useAnswer(
    'listProofs',
    { query: { verified: true } },
    { everyMs: usePace(EVERY_MS) },
  )
  return (
    <ul class="tiles" aria-label={said.now}>
      {COUNTED.map((counted) => (
        <Tile key={counted.text} {...counted} amount={amountOf(lists, counted)} />
      ))}
      <Tile text={said.verified} to="/console/proofs?verified=true" amount={verified?.total ?? null} />
    </ul>
  )
}

const amountOf = (
  lists: readonly OverviewOfList[] | undefined,
  { recordType, states }: Counted,
): number | null => {
  const list = lists?.find((each) => each.recordType === recordType)
  return list === undefined ? null : nowIn(list, states)
}

type TileProps = Pick<Counted, 'text' | 'to' | 'isBad'> & { readonly amount: number | null }

const Tile = ({ text, to, isBad = false, amount }: TileProps) => (
  <li>
    <a class={isBad && amount !== null && amount > 0 ? 'tile bad' : 'tile'} href={to}>
      <span class="amount">{amount === null ? '…' : numberText(amount)}</span>
      <span>{text}</span>
    </a>
  </li>
)
