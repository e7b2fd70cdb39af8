import { useLocation } from 'preact-iso'
import { useId } from 'preact/hooks'
import { send } from '../api/send.ts'
import { Button } from '../parts/button.tsx'
import { SIGN_IN } from '../state/places.ts'
import { usePerson, useSession } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { type Ways, waysOf } from './navigation.ts'

const said = texts.frame

export const Navigation = () => {
  const { path } = useLocation()
  const person = usePerson()
  const { name, emailAddress } = person.signedIn.account
  return (
    <>
      <div class="ways">
        {waysOf(person).map((ways) => (
          <Group key={ways.title} {...ways} />
        ))}
      </div>
      <div class="person">
        <p class="who">
          {name}
          <br />
          <span class="quiet small">{emailAddress}</span>
        </p>
        <a href="/console/account" aria-current={path === '/console/account' ? 'page' : undefined}>
          {texts.account.title}
        </a>
        <a href="/docs" target="_blank" rel="noreferrer">
          {said.guides}
        </a>
        <SignOut />
      </div>
    </>
  )
}

const Group = ({ title, ways }: Ways) => {
  const id = useId()
  const { path } = useLocation()
  return (
    <div>
      {title !== null && <h2 id={id}>{title}</h2>}
      <ul aria-labelledby={title === null ? undefined : id}>
        {ways.map(({ to, text }) => (
          <li key={to}>
            <a href={to} aria-current={path === to || path.startsWith(`${to}/`) ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

export const SignOut = () => {
  const { route } = useLocation()
  const { end } = useSession()
  const signOut = async (): Promise<void> => {
    await send('signOut', {})
    end()
    route(SIGN_IN)
  }
  return (
    <Button look="plain" isSmall onPress={() => void signOut()}>
      {texts.signIn.signOut}
    </Button>
  )
}
