import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { definitionName } from '../lists/definition-names.ts'
import { Button } from '../parts/button.tsx'
import { DayField } from '../parts/day-field.tsx'
import { Field, SelectField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ledgerIdOf, usePublishedDefinitions } from '../setup/definition-attributes.ts'
import { forAdministrators } from '../setup/for-administrators.tsx'
import { placeOf } from '../state/places.ts'
import { useAnswer } from '../state/use-answer.ts'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { counted, texts } from '../texts/texts.ts'
import { type CsvRow, readCsv } from './csv.ts'
import { keyOfLine } from './line-key.ts'
import { LinesPreview } from './lines-preview.tsx'
import { NoDefinition } from './no-definition.tsx'
import { LAST_DAY } from './offer-draft.ts'
import { readOfferLines } from './offer-lines.ts'
import { TableToFill } from './table-to-fill.tsx'

const said = texts.many
const BACK = { to: '/console/offers', text: texts.pages.offers }
const EMPTY = { definitionId: '', lastDay: '' }

/** Many offers from a table. What it says stays in this page until it is sent: a reload forgets it, because it is personal. */
const Content = () => {
  const { route } = useLocation()
  const { definitions, attributesOf } = usePublishedDefinitions()
  const { body: policy } = useAnswer('getBiometricPolicy', {})
  const [draft, change, forget] = useDraft('offers', EMPTY)
  const [rows, setRows] = useState<readonly CsvRow[] | null>(null)
  const order = useOrder('offerCredentials')
  const chosen = definitions?.find(({ id }) => id === draft.definitionId) ?? definitions?.[0]
  const names = chosen === undefined ? [] : attributesOf([ledgerIdOf(chosen)])
  const isChecked = policy !== null && policy.credentialDefinitionIds.includes(chosen?.id ?? '')
  const asked = { definitionId: chosen?.id ?? '', names, lastDay: draft.lastDay, nowMs: Date.now() }
  const read = rows === null ? null : readOfferLines(rows, asked)
  const offers = read?.offers ?? []
  const send = async (): Promise<void> => {
    const items = await Promise.all(
      offers.map(async ({ offer }) => ({ idempotencyKey: await keyOfLine(offer), ...offer })),
    )
    const job = await order.give({ body: { items } })
    if (job === null) return
    forget()
    route(placeOf.offers(job.id), true)
  }
  if (definitions?.length === 0) return <NoDefinition title={said.title} back={BACK} />
  return (
    <>
      <PageHead title={said.title} lead={said.lead} back={BACK} />
      <Form class="stack wide" onSend={() => void send()}>
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
        <TableToFill names={names} />
        <section class="card stack">
          <FileField onChange={setRows} />
          {read !== null && <LinesPreview read={read} names={names} />}
        </section>
        <ProblemNotice problem={order.problem} />
        {offers.length > 0 && (
          <div class="row">
            <Button look="main" isBusy={order.isUnderWay}>
              {counted(said.send, offers.length)}
            </Button>
          </div>
        )}
      </Form>
    </>
  )
}

const FileField = ({ onChange }: { onChange: (rows: readonly CsvRow[] | null) => void }) => (
  <Field
    label={said.file}
    hint={said.fileHint}
    control={({ id, describedBy }) => (
      <input
        id={id}
        class="input file"
        type="file"
        accept=".csv,text/csv,text/tab-separated-values"
        required
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen === undefined) onChange(null)
          else void chosen.text().then((text) => onChange(readCsv(text)))
        }}
      />
    )}
  />
)

export const OfferManyPage = forAdministrators(Content, { title: said.title, back: BACK })
