import { useLocation } from 'preact-iso'
import { PageHead } from '../parts/page-head.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import { EMPTY_TEMPLATE, templateBody } from './template-draft.ts'
import { TemplateForm } from './template-form.tsx'
import { forAdministrators } from './for-administrators.tsx'

const said = texts.template
const BACK = { to: '/console/templates', text: texts.pages.templates }

const Content = () => {
  const { route } = useLocation()
  const [draft, change, forget] = useDraft('template', EMPTY_TEMPLATE)
  const order = useOrder('createProofTemplate')
  const create = async (): Promise<void> => {
    const made = await order.give({ body: templateBody(draft) })
    if (made === null) return
    forget()
    route(`/console/templates/${encodeURIComponent(made.id)}`, true)
  }
  return (
    <>
      <PageHead title={said.newTitle} lead={said.newLead} back={BACK} />
      <TemplateForm {...{ draft, change, ...order }} onSend={() => void create()} />
    </>
  )
}

export const NewTemplatePage = forAdministrators(Content, { title: said.newTitle, back: BACK })
