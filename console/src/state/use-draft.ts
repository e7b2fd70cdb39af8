import { useRef, useState } from 'preact/hooks'

const PREFIX = 'vouchsafe.draft.'
/** The organisation that an operator acts for, with a point behind it; empty for everybody else. */
let place = ''

/**
 * What is typed into a form, kept for this tab until it is sent, so that a reload loses nothing. Never for secrets. The
 * name of a form that changes something says which state of it: what was typed for an older one is not shown again. What
 * an operator types in the name of an organisation stays with that organisation, also where a form stands for longer.
 */
export const useDraft = <Draft extends object>(
  name: string,
  empty: Draft,
): [draft: Draft, change: (part: Partial<Draft>) => void, forget: () => void] => {
  const [prefix] = useState(PREFIX + place)
  const [draft, setDraft] = useState<Draft>(() => ({ ...empty, ...kept(prefix + name) }))
  const newest = useRef(draft)
  // At once, and not when the page is drawn: a reload may come before that.
  const put = (next: Draft): void => {
    newest.current = next
    if (JSON.stringify(next) === JSON.stringify(empty)) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(next))
    setDraft(next)
  }
  return [draft, (part) => put({ ...newest.current, ...part }), () => put(empty)]
}

const kept = (key: string): object => {
  try {
    const known: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    return typeof known === 'object' && known !== null ? known : {}
  } catch {
    return {}
  }
}

export const forgetDrafts = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}

const OWNER = 'vouchsafe.drafts-of'

/**
 * Before anything is shown to somebody: what somebody else typed in this tab, whose session has ended, is gone. The same
 * person finds it again, and an operator in the organisation that it was typed for.
 */
export const keepDraftsOf = (accountId: string, actsFor: string | null): void => {
  place = actsFor === null ? '' : `${actsFor}.`
  const before = sessionStorage.getItem(OWNER)
  if (before !== null && before !== accountId) forgetDrafts()
  sessionStorage.setItem(OWNER, accountId)
}
