import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Acting, Organisation, SignedIn } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { send } from '../api/send.ts'
import { forgetDrafts, keepDraftsOf } from './use-draft.ts'

/** Who is in, and whose records they see. */
export type Person = {
  readonly signedIn: SignedIn
  /** The organisation of a member, or the one that an operator acts for. */
  readonly organisation: Organisation | null
  readonly acting: Acting | null
  /** Viewers, and operators who act to look only, change nothing of the organisation. */
  readonly mayChange: boolean
}

export type Session = {
  readonly is: 'asking' | 'out' | 'in' | 'refused'
  readonly person: Person | null
  readonly problem: Problem | null
  /** After a sign-in, and whenever something of the person has changed. */
  readonly begin: (signedIn: SignedIn) => void
  readonly again: () => Promise<void>
  readonly end: () => void
}

type State = Pick<Session, 'is' | 'person' | 'problem'>

const ASKING: State = { is: 'asking', person: null, problem: null }
const Context = createContext<Session>({
  ...ASKING,
  begin: () => {},
  again: () => Promise.resolve(),
  end: () => {},
})

export const useSession = (): Session => useContext(Context)

/** For pages that are shown to somebody who is in, and to nobody else. */
export const usePerson = (): Person => {
  const { person } = useSession()
  if (person === null) throw new Error('this page is for somebody who is signed in')
  return person
}

export const SessionProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const [state, setState] = useState<State>(ASKING)
  const show = async (signedIn: SignedIn | null): Promise<void> => setState(await stateOf(signedIn))
  useEffect(() => void show(null), [])
  const session: Session = {
    ...state,
    begin: (signedIn) => {
      // A page that waits for its session to be renewed stays.
      if (state.is !== 'in') setState(ASKING)
      void show(signedIn)
    },
    again: () => show(null),
    end: () => {
      forgetDrafts()
      setState({ ...ASKING, is: 'out' })
    },
  }
  return <Context.Provider value={session}>{children}</Context.Provider>
}

/** Who it is and whose records they see are asked at once: the first page waits for both. */
const stateOf = async (known: SignedIn | null): Promise<State> => {
  const [asked, organisation] = await Promise.all([
    known === null ? send('getSession', {}) : { ok: true as const, body: known },
    send('getOrganisation', {}),
  ])
  if (!asked.ok) {
    const { problem } = asked
    return problem.status === 401 ? { ...ASKING, is: 'out' } : { ...ASKING, is: 'refused', problem }
  }
  const signedIn = asked.body
  const isOperator = signedIn.account.role === 'operator'
  const acting = isOperator ? await actingNow() : null
  keepDraftsOf(signedIn.account.id, acting?.organisation ?? null)
  const mayChange = isOperator ? (acting?.mayChange ?? true) : signedIn.account.role === 'admin'
  const person = { signedIn, organisation: organisation.ok ? organisation.body : null, acting, mayChange }
  return { is: 'in', person, problem: null }
}

const actingNow = async (): Promise<Acting | null> => {
  const answer = await send('getActing', {})
  return answer.ok && answer.body.organisation !== null ? answer.body : null
}
