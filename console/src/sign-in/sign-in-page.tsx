import { useLocation } from 'preact-iso'
import { knownOrganisation } from '../state/known-organisation.ts'
import { START } from '../state/places.ts'
import { useSession } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { Door } from './door.tsx'
import { SignInSteps } from './sign-in-steps.tsx'

/** `next` is where the person wanted to go; an address of the console and nothing else. */
export const SignInPage = () => {
  const { query, route } = useLocation()
  const session = useSession()
  const isOperator = query['as'] === 'operator'
  const next = query['next']?.startsWith('/console/') === true ? query['next'] : START
  const way = query['next'] === undefined ? '' : `&next=${encodeURIComponent(query['next'])}`
  return (
    <Door title={isOperator ? texts.signIn.asOperator : texts.signIn.title}>
      <SignInSteps
        key={String(isOperator)}
        isOperator={isOperator}
        onDone={(signedIn) => {
          knownOrganisation.keep(signedIn.account.organisation)
          session.begin(signedIn)
          route(next, true)
        }}
      />
      <p class="small">
        <a href={`/console/sign-in?as=${isOperator ? 'member' : 'operator'}${way}`}>
          {isOperator ? texts.signIn.asMember : texts.signIn.asOperator}
        </a>
      </p>
    </Door>
  )
}
