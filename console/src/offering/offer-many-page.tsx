import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { CredentialDefinition } from '../api/generated/operations.ts'
import { definitionName } from '../lists/definition-names.ts'
import { Button } from '../parts/button.tsx'
import { DayField } from '../parts/day-field.tsx'
import { SelectField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ledgerIdOf, usePublishedDefinitions } from '../setup/definition-attributes.ts'
import { forAdministrators } from '../setup/for-administrators.tsx'
import { placeOf } from '../state/places.ts'
import { useAnswer } from '../state/use-answer.ts'
import { useDraft } from '../state/use-draft.ts'
import { counted, texts } from '../texts/texts.ts'
import { LinesPreview } from './lines-preview.tsx'
import { NoDefinition } from './no-definition.tsx'
import { LAST_DAY } from './offer-draft.ts'
import { type Sending, sentOf } from './send-offers.ts'
import { SendingView } from './sending-view.tsx'
import { TableFile } from './table-file.tsx'
import { TableToFill } from './table-to-fill.tsx'
import { UnfinishedTable } from './unfinished-table.tsx'
import { type ChosenTable, useOfferLines } from './use-offer-lines.ts'
import { useSending } from './use-sending.ts'

const said = texts.many
const BACK = { to: '/console/offers', text: texts.pages.offers }
const EMPTY = { definitionId: '', lastDay: '', sending: null as Sending | null }

/**
 * Many offers from a table. What it says stays in this page until it is sent: a reload forgets it, because it is
 * personal. How far it was sent is kept, so that the same table goes on there when it is chosen again.
 */
const Content = () => {
  const { route } = useLocation()
  const { definitions, attributesOf, problem } = usePublishedDefinitions()
  const [draft, change, forget] = useDraft('offers', EMPTY)
  const [table, setTable] = useState<ChosenTable | null>(null)
  const [hasBegun, setBegun] = useState(false)
  const { go, stop, ...state } = useSending((sending) => change({ sending }))
  const chosen = definitions?.find(({ id }) => id === draft.definitionId) ?? definitions?.[0]
  const names = chosen === undefined ? [] : attributesOf([ledgerIdOf(chosen)])
  const read = useOfferLines(table, { definitionId: chosen?.id ?? '', names, lastDay: draft.lastDay })
  const offers = read?.offers ?? []
  const { sending } = draft
  const isSame = sending !== null && sending.fingerprint === read?.fingerprint
  const send = async (): Promise<void> => {
    if (read === null || table === null) return
    const begun = isSame ? sending : newSending(table.name, read.fingerprint, offers.length)
    setBegun(true)
    const { jobs, total } = await go(begun, offers)
    const [only] = jobs
    if (only === undefined || only.offers < total) return
    forget()
    route(placeOf.offers(only.id), true)
  }
  const leave = (): void => {
    setTable(null)
    setBegun(false)
    forget()
  }
  if (definitions?.length === 0) return <NoDefinition title={said.title} back={BACK} />
  const isWhole = sending !== null && sentOf(sending) === sending.total
  if (sending !== null && (isWhole || hasBegun))
    return (
      <>
        <PageHead title={said.title} back={BACK} />
        <SendingView {...{ sending, state }} onStop={stop} onGo={() => void send()} onLeave={leave} />
      </>
    )
  return (
    <>
      <PageHead title={said.title} lead={said.lead} back={BACK} />
      <Form class="stack wide" onSend={() => void send()}>
        {sending !== null && (
          <UnfinishedTable {...{ sending, isSame }} isOther={read !== null && !isSame} onLeave={forget} />
        )}
        <ProblemNotice problem={problem} />
        <WhatIsOffered {...{ definitions, chosen, draft, change }} />
        <TableToFill names={names} />
        <section class="card stack">
          <TableFile onChange={setTable} />
          {table !== null && read === null && <p role="status">{said.reading}</p>}
          {read !== null && <LinesPreview read={read} names={names} />}
        </section>
        {offers.length > 0 && (
          <div class="row">
            <Button look="main">
              {isSame
                ? counted(said.sending.rest, sending.total - sentOf(sending))
                : counted(said.send, offers.length)}
            </Button>
          </div>
        )}
      </Form>
    </>
  )
}

type WhatIsOfferedProps = {
  readonly definitions: readonly CredentialDefinition[] | null
  readonly chosen: CredentialDefinition | undefined
  readonly draft: typeof EMPTY
  readonly change: (part: Partial<typeof EMPTY>) => void
}

const WhatIsOffered = ({ definitions, chosen, draft, change }: WhatIsOfferedProps) => {
  const { body: policy } = useAnswer('getBiometricPolicy', {})
  const isChecked = policy !== null && policy.credentialDefinitionIds.includes(chosen?.id ?? '')
  return (
    <section class="card stack">
      <SelectField
        label={texts.credentials.definition}
        value={chosen?.id ?? ''}
        choices={(definitions ?? []).map((each) => ({ value: each.id, text: definitionName(each) }))}
        onChange={(definitionId) => change({ definitionId })}
      />
      {isChecked && (
        <Notice tone="warn">
          <p>{said.faceCheck}</p>
        </Notice>
      )}
      <DayField
        label={texts.offer.lastDay}
        hint={said.lastDayHint}
        last={LAST_DAY}
        value={draft.lastDay}
        onChange={(lastDay) => change({ lastDay })}
      />
    </section>
  )
}

const newSending = (name: string, fingerprint: string, total: number): Sending => ({
  id: crypto.randomUUID(),
  fingerprint,
  name,
  total,
  lastLine: 0,
  jobs: [],
})

export const OfferManyPage = forAdministrators(Content, { title: said.title, back: BACK })
