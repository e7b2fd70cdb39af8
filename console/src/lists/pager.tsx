import { useEffect } from 'preact/hooks'
import { SelectField } from '../parts/field.tsx'
import { fill, numberText, texts } from '../texts/texts.ts'
import type { ListAddress } from '../state/list-address.ts'

type PagerProps = {
  readonly total: number
  readonly address: ListAddress
  readonly toAddress: (address: ListAddress) => string
  readonly onChange: (address: ListAddress) => void
  /** The total is of another question until the answer is there. */
  readonly isBusy: boolean
}

const said = texts.lists
const SIZES = [25, 50, 100] as const

/** Exact totals, and pages as addresses. */
export const Pager = ({ total, address, toAddress, onChange, isBusy }: PagerProps) => {
  const { page, pageSize } = address
  const pages = Math.max(1, Math.ceil(total / pageSize))
  // What stood on it has gone, or the address is an old one.
  const isBeyond = !isBusy && page > pages
  useEffect(() => {
    if (isBeyond) onChange({ ...address, page: pages })
  }, [isBeyond])
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  const values = {
    first: numberText(Math.min(first, total)),
    last: numberText(Math.min(total, page * pageSize)),
    total: numberText(total),
  }
  return (
    <div class="pager">
      <p class="total" role="status">
        {fill(said.shown, values)}
      </p>
      <nav class="row" aria-label={said.pages}>
        <Step text={said.previous} page={page - 1} isThere={page > 1} {...{ address, toAddress }} />
        <span class="quiet small">
          {fill(said.page, { page: numberText(page), pages: numberText(pages) })}
        </span>
        <Step text={said.next} page={page + 1} isThere={page < pages} {...{ address, toAddress }} />
      </nav>
      <SelectField
        label={said.pageSize}
        isInline
        value={String(pageSize)}
        choices={SIZES.map((size) => ({ value: String(size), text: String(size) }))}
        onChange={(size) =>
          onChange({ ...address, page: 1, pageSize: SIZES.find((each) => String(each) === size) ?? 25 })
        }
      />
    </div>
  )
}

type StepProps = Pick<PagerProps, 'address' | 'toAddress'> & {
  readonly text: string
  readonly page: number
  readonly isThere: boolean
}

/** The same element in both cases, so that who has gone to the last page keeps the focus. */
const Step = ({ text, page, isThere, address, toAddress }: StepProps) => (
  <a
    class="button small"
    {...(isThere
      ? { href: toAddress({ ...address, page }) }
      : { role: 'link' as const, 'aria-disabled': 'true' as const, tabIndex: -1 })}
  >
    {text}
  </a>
)
