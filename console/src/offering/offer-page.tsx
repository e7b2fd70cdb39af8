import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { definitionName } from '../lists/definition-names.ts'
import { Button } from '../parts/button.tsx'
import { DayField } from '../parts/day-field.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ledgerIdOf, usePublishedDefinitions } from '../setup/definition-attributes.ts'
import { forAdministrators } from '../setup/for-administrators.tsx'
import { placeOf } from '../state/places.ts'
import { useAnswer } from '../state/use-answer.ts'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import { ConnectionChoice } from './connection-choice.tsx'
import { ImageField } from './image-field.tsx'
import { NoDefinition } from './no-definition.tsx'
import { LAST_DAY, offerBody, type OfferDraft } from './offer-draft.ts'

const said = texts.offer
const BACK = { to: '/console/credentials', text: texts.pages.credentials }
const EMPTY: OfferDraft = { connectionId: '', definitionId: '', externalId: '', values: {}, lastDay: '' }
const FIELDS = ['connectionId', 'credentialDefinitionId', 'externalId', 'biometric']

/** An offer by hand; its fields come from the schema of the definition. */
const Content = () => {
  const { query, route } = useLocation()
  const { definitions, attributesOf, problem } = usePublishedDefinitions()
  const given = query['connectionId'] ?? ''
  const [draft, change, forget] = useDraft(`offer.${given}`, { ...EMPTY, connectionId: given })
  const order = useOrder('offerCredential')
  const { body: policy } = useAnswer('getBiometricPolicy', {})
  const [image, setImage] = useState('')
  const chosen = definitions?.find(({ id }) => id === draft.definitionId) ?? definitions?.[0]
  const names = chosen === undefined ? [] : attributesOf([ledgerIdOf(chosen)])
  const isChecked = policy !== null && policy.credentialDefinitionIds.includes(chosen?.id ?? '')
  const offer = async (): Promise<void> => {
    const body = offerBody({ ...draft, definitionId: chosen?.id ?? '' }, names)
    const made = await order.give({
      body: isChecked ? { ...body, biometric: { referenceImage: image } } : body,
    })
    if (made === null) return
    forget()
    route(placeOf.credential(made.id), true)
  }
  if (definitions?.length === 0) return <NoDefinition title={said.title} back={BACK} />
  return (
    <>
      <PageHead title={said.title} lead={said.lead} back={BACK} />
      <Form class="stack wide narrow" onSend={() => void offer()}>
        <section class="card stack">
          <ConnectionChoice
            value={draft.connectionId}
            fault={faultAt(order.problem, 'connectionId')}
            onChange={(connectionId) => change({ connectionId })}
          />
          <SelectField
            label={texts.credentials.definition}
            fault={faultAt(order.problem, 'credentialDefinitionId')}
            value={chosen?.id ?? ''}
            choices={(definitions ?? []).map((each) => ({ value: each.id, text: definitionName(each) }))}
            onChange={(definitionId) => change({ definitionId })}
          />
          <TextField
            label={texts.records.externalId}
            hint={texts.invite.externalIdHint}
            fault={faultAt(order.problem, 'externalId')}
            value={draft.externalId}
            onChange={(externalId) => change({ externalId })}
            lengthMax={200}
          />
        </section>
        <Values names={names} draft={draft} change={change} />
        {isChecked && (
          <section class="card stack">
            <h2>{texts.biometric.title}</h2>
            <ImageField
              isChosen={image !== ''}
              onChange={setImage}
              fault={faultAt(order.problem, 'biometric')}
            />
          </section>
        )}
        <ProblemNotice problem={problem ?? besideFields(order.problem, FIELDS)} />
        <div class="row">
          <Button look="main" isBusy={order.isUnderWay || chosen === undefined}>
            {said.send}
          </Button>
        </div>
      </Form>
    </>
  )
}

type ValuesProps = {
  readonly names: readonly string[]
  readonly draft: OfferDraft
  readonly change: (part: Partial<OfferDraft>) => void
}

/** A field for each name of the schema, and the end of the credential. */
const Values = ({ names, draft, change }: ValuesProps) => (
  <section class="card stack">
    <h2>{texts.credential.attributes}</h2>
    {names.map((name) => (
      <TextField
        key={name}
        label={name}
        value={draft.values[name] ?? ''}
        onChange={(value) => change({ values: { ...draft.values, [name]: value } })}
        isRequired
      />
    ))}
    <DayField
      label={said.lastDay}
      hint={said.lastDayHint}
      last={LAST_DAY}
      value={draft.lastDay}
      onChange={(lastDay) => change({ lastDay })}
      isRequired
    />
  </section>
)

export const OfferPage = forAdministrators(Content, { title: said.title, back: BACK })
