import { useRoute } from 'preact-iso'
import type { ProofTemplate } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Notice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { RecordView } from '../records/record-view.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import { draftOf, templateBody } from './template-draft.ts'
import { TemplateForm } from './template-form.tsx'
import { WalletPreview } from './wallet-preview.tsx'

const said = texts.template
const LIST = { to: '/console/templates', text: texts.pages.templates }

export const TemplatePage = () => {
  const { id = '' } = useRoute().params
  const loaded = useAnswer('getProofTemplate', { path: { id } })
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(template) => <OneTemplate template={template} onChanged={loaded.again} />}
    </RecordView>
  )
}

type OneTemplateProps = { readonly template: ProofTemplate; readonly onChanged: () => void }

const OneTemplate = ({ template, onChanged }: OneTemplateProps) => {
  const { id, name, status } = template
  const { mayChange, organisation } = usePerson()
  const isOpen = mayChange && status === 'active'
  return (
    <>
      <PageHead title={name} back={LIST} beside={<StateBadge state={status} />}>
        {isOpen && (
          <DangerButton
            operation="archiveProofTemplate"
            takes={{ path: { id } }}
            said={said.archive}
            onDone={onChanged}
          />
        )}
      </PageHead>
      <p>
        {texts.records.id} <Copyable text={id} what={texts.records.id} />
      </p>
      {isOpen ? (
        <Editing key={template.updatedAt} template={template} onChanged={onChanged} />
      ) : (
        <WalletPreview draft={draftOf(template)} organisation={organisation?.name ?? ''} />
      )}
    </>
  )
}

const Editing = ({ template, onChanged }: OneTemplateProps) => {
  const [draft, change, forget] = useDraft(`template.${template.id}.${template.updatedAt}`, draftOf(template))
  const order = useOrder('editProofTemplate')
  const save = async (): Promise<void> => {
    if ((await order.give({ path: { id: template.id }, body: templateBody(draft) })) === null) return
    forget()
    onChanged()
  }
  return (
    <>
      <Notice>
        <p>{said.editHint}</p>
      </Notice>
      <TemplateForm {...{ draft, change, ...order }} onSend={() => void save()} />
    </>
  )
}
