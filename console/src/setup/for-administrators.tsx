import type { FunctionComponent } from 'preact'
import { LinkButton } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'

type Page = { readonly title: string; readonly back: { readonly to: string; readonly text: string } }

/** A page that is there to change something; who may only look is told so before anything is typed. */
export const forAdministrators = (Content: FunctionComponent, { title, back }: Page): FunctionComponent => {
  const Guarded = () => {
    const { mayChange } = usePerson()
    if (mayChange) return <Content />
    return (
      <>
        <PageHead title={title} back={back} />
        <Notice>
          <p>{texts.frame.viewer}</p>
        </Notice>
        <div class="row">
          <LinkButton to={back.to}>{back.text}</LinkButton>
        </div>
      </>
    )
  }
  return Guarded
}
