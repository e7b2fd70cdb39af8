import { useLocation } from 'preact-iso'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Brand } from '../parts/brand.tsx'
import { usePerson } from '../state/session.tsx'
import { texts, wordsOf } from '../texts/texts.ts'
import { ActingBanner } from './acting-banner.tsx'
import { GateDialogs } from './gate-dialogs.tsx'
import { keepFocus } from './keep-focus.ts'
import { Navigation } from './navigation-view.tsx'

const said = texts.frame

/** What stands around every page of somebody who is in. */
export const Frame = ({ children }: { readonly children: ComponentChildren }) => {
  const { path } = useLocation()
  const { signedIn, organisation } = usePerson()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [path])
  useEffect(keepFocus, [])
  const role = wordsOf(said.roles, signedIn.account.role)
  const brand = (
    <Brand name={organisation?.name ?? texts.product} below={organisation === null ? said.operators : role} />
  )
  return (
    <>
      <a class="skip" href="#content" onClick={toContent}>
        {said.skip}
      </a>
      <ActingBanner />
      <div class="frame">
        <header class="top">
          {brand}
          <button
            type="button"
            class="button small"
            aria-expanded={isOpen}
            aria-controls="side"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? texts.common.close : said.menu}
          </button>
        </header>
        <nav class={isOpen ? 'side is-open' : 'side'} id="side" aria-label={said.navigation}>
          {brand}
          <Navigation />
        </nav>
        <main class="content" id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <GateDialogs />
    </>
  )
}

/** A step within the page, which is no address of its own. */
const toContent = (event: MouseEvent): void => {
  event.preventDefault()
  document.querySelector<HTMLElement>('#content')?.focus()
}
