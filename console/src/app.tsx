import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { Frame } from './frame/frame.tsx'
import { SignOut } from './frame/navigation-view.tsx'
import { NotFoundPage } from './frame/not-found-page.tsx'
import { pages } from './pages.ts'
import { Button } from './parts/button.tsx'
import { reasonOf } from './parts/notice.tsx'
import { Door } from './sign-in/door.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { orReload } from './state/or-reload.ts'
import { SIGN_IN, START } from './state/places.ts'
import { SessionProvider, useSession } from './state/session.tsx'
import { texts } from './texts/texts.ts'

const invitation = () => orReload(() => import('./invitation/invitation-page.tsx'))
const InvitationPage = lazy(async () => (await invitation()).InvitationPage)

/** The scope keeps the addresses of the API and its guides out of the console. */
export const App = () => {
  const [isBroken, setBroken] = useState(false)
  return (
    <LocationProvider scope="/console">
      <SessionProvider>
        <ErrorBoundary onError={() => setBroken(true)}>{isBroken ? <Broken /> : <Places />}</ErrorBoundary>
      </SessionProvider>
    </LocationProvider>
  )
}

/** A mistake of ours; what was typed is there again after it was loaded anew. */
const Broken = () => (
  <Door title={texts.errors.title}>
    <p>{texts.errors.broken}</p>
    <Button look="main" onPress={() => location.reload()}>
      {texts.errors.reload}
    </Button>
  </Door>
)

const DOORS: readonly string[] = [SIGN_IN, '/console/invitation']

const Places = () => {
  const { path } = useLocation()
  if (!DOORS.includes(path)) return <Inside />
  return (
    <Router>
      <Route path={SIGN_IN} component={SignInPage} />
      <Route path="/console/invitation" component={InvitationPage} />
    </Router>
  )
}

/** Whatever is for people who are signed in; others sign in first and come back to it. */
const Inside = () => {
  const { is, problem, again } = useSession()
  const { url, route } = useLocation()
  useEffect(() => {
    if (is === 'out') route(`${SIGN_IN}?next=${encodeURIComponent(url)}`, true)
  }, [is])
  if (is === 'refused')
    return (
      <Door title={texts.frame.suspendedTitle}>
        <p>{problem && reasonOf(problem)}</p>
        <div class="row">
          <Button onPress={() => void again()}>{texts.common.tryAgain}</Button>
          <SignOut />
        </div>
      </Door>
    )
  if (is !== 'in') return <p class="unseen">{texts.common.loading}</p>
  return (
    <Frame>
      <Router>
        <Route path="/console" component={Beginning} />
        {pages.map(([path, page]) => (
          <Route key={path} path={path} component={page} />
        ))}
        <Route default component={NotFoundPage} />
      </Router>
    </Frame>
  )
}

const Beginning = () => {
  const { route } = useLocation()
  useEffect(() => route(START, true), [])
  return null
}
