import { LinkButton } from '../parts/button.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { START } from '../state/places.ts'
import { texts } from '../texts/texts.ts'

export const NotFoundPage = () => (
  <>
    <PageHead title={texts.errors.notFoundTitle} lead={texts.errors.notFound} />
    <div class="row">
      <LinkButton to={START}>{texts.errors.toStart}</LinkButton>
    </div>
  </>
)
