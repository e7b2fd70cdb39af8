import { useLocation } from 'preact-iso'
import { PageHead } from '../parts/page-head.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import { EMPTY_TEMPLATE, templateBody } from './template-draft.ts'
import { TemplateForm } from './template-form.tsx'

const said = texts.template

export const NewTemplatePage = () => {
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
      <PageHead
        title={said.newTitle}
        lead={said.newLead}
        back={{ to: '/console/templates', text: texts.pages.templates }}
      />
      <TemplateForm {...{ draft, change, ...order }} onSend={() => void create()} />
    </>
  )
}
