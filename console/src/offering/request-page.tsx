import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { Button, LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { forAdministrators } from '../setup/for-administrators.tsx'
import { draftOf } from '../setup/template-draft.ts'
import { WalletPreview } from '../setup/wallet-preview.tsx'
import { placeOf } from '../state/places.ts'
import { usePerson } from '../state/session.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { useWholeList } from '../state/use-whole-list.ts'
import { texts } from '../texts/texts.ts'
import { ConnectionChoice } from './connection-choice.tsx'
import { ImageField } from './image-field.tsx'

const said = texts.request
const BACK = { to: '/console/proofs', text: texts.pages.proofs }
const FIELDS = ['connectionId', 'proofTemplateId', 'externalId', 'biometric']

/** A proof request by hand, with what the wallet is going to show. */
const Content = () => {
  const { query, route } = useLocation()
  const { organisation } = usePerson()
  const { items, problem } = useWholeList('listProofTemplates')
  const given = query['connectionId'] ?? ''
  const empty = { connectionId: given, proofTemplateId: '', externalId: '' }
  const [draft, change, forget] = useDraft(`request.${given}`, empty)
  const order = useOrder('requestProof')
  const [image, setImage] = useState('')
  const templates = items?.filter(({ status }) => status === 'active')
  const chosen = templates?.find(({ id }) => id === draft.proofTemplateId) ?? templates?.[0]
  const request = async (): Promise<void> => {
    const externalId = draft.externalId.trim()
    const made = await order.give({
      body: {
        connectionId: draft.connectionId,
        proofTemplateId: chosen?.id ?? '',
        ...(externalId !== '' && { externalId }),
        ...(chosen?.biometricRequired === true && { biometric: { referenceImage: image } }),
      },
    })
    if (made === null) return
    forget()
    route(placeOf.proof(made.id), true)
  }
  if (templates?.length === 0) return <NoTemplate />
  return (
    <>
      <PageHead title={said.title} lead={said.lead} back={BACK} />
      <Form class="two" onSend={() => void request()}>
        <section class="card stack">
          <ConnectionChoice
            value={draft.connectionId}
            fault={faultAt(order.problem, 'connectionId')}
            onChange={(connectionId) => change({ connectionId })}
          />
          <SelectField
            label={texts.proofs.template}
            fault={faultAt(order.problem, 'proofTemplateId')}
            value={chosen?.id ?? ''}
            choices={(templates ?? []).map(({ id, name }) => ({ value: id, text: name }))}
            onChange={(proofTemplateId) => change({ proofTemplateId })}
          />
          <TextField
            label={texts.records.externalId}
            hint={texts.invite.externalIdHint}
            fault={faultAt(order.problem, 'externalId')}
            value={draft.externalId}
            onChange={(externalId) => change({ externalId })}
            lengthMax={200}
          />
          {chosen?.biometricRequired === true && (
            <ImageField
              isChosen={image !== ''}
              onChange={setImage}
              fault={faultAt(order.problem, 'biometric')}
            />
          )}
          <ProblemNotice problem={problem ?? besideFields(order.problem, FIELDS)} />
          <div class="row">
            <Button look="main" isBusy={order.isUnderWay || chosen === undefined}>
              {said.send}
            </Button>
          </div>
        </section>
        {chosen && <WalletPreview draft={draftOf(chosen)} organisation={organisation?.name ?? ''} />}
      </Form>
    </>
  )
}

const NoTemplate = () => (
  <>
    <PageHead title={said.title} back={BACK} />
    <Empty title={texts.template.emptyTitle} text={texts.template.empty}>
      <LinkButton to="/console/templates/new" look="main">
        {texts.template.create}
      </LinkButton>
    </Empty>
  </>
)

export const RequestPage = forAdministrators(Content, { title: said.title, back: BACK })
