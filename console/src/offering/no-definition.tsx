import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { texts } from '../texts/texts.ts'

type NoDefinitionProps = {
  readonly title: string
  readonly back: { readonly to: string; readonly text: string }
}

/** Nothing can be offered before a definition is published. */
export const NoDefinition = ({ title, back }: NoDefinitionProps) => (
  <>
    <PageHead title={title} back={back} />
    <Empty title={texts.template.noDefinitionTitle} text={texts.offer.noDefinition}>
      <LinkButton to="/console/definitions/new" look="main">
        {texts.definition.create}
      </LinkButton>
    </Empty>
  </>
)
