import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { fill, texts } from '../texts/texts.ts'
import { AttributeRows } from './attribute-rows.tsx'
import { type DraftAttribute, publishedNames, twiceNamed } from './value-kinds.ts'
import { forAdministrators } from './for-administrators.tsx'

const said = texts.schema
const BACK = { to: '/console/schemas', text: texts.pages.schemas }
const EMPTY: { name: string; version: string; attributes: readonly DraftAttribute[] } = {
  name: '',
  version: '1.0',
  attributes: [{ name: '', kind: 'text' }],
}

/** A schema is for ever, so the page says what it means before it is published. */
const Content = () => {
  const { route } = useLocation()
  const [draft, change, forget] = useDraft('schema', EMPTY)
  const [doubled, setDoubled] = useState<readonly string[]>([])
  const order = useOrder('publishSchema')
  const publish = async (): Promise<void> => {
    setDoubled(twiceNamed(draft.attributes))
    if (twiceNamed(draft.attributes).length > 0) return
    const { name, version } = draft
    const made = await order.give({
      body: { name: name.trim(), version: version.trim(), attributes: publishedNames(draft.attributes) },
    })
    if (made === null) return
    forget()
    route(`/console/schemas/${encodeURIComponent(made.id)}`, true)
  }
  return (
    <>
      <PageHead title={said.newTitle} lead={said.newLead} back={BACK} />
      <Form class="stack wide narrow" onSend={() => void publish()}>
        <section class="card stack">
          <h2>{said.nameTitle}</h2>
          <div class="pair">
            <TextField
              label={said.name}
              hint={said.nameHint}
              fault={faultAt(order.problem, 'name')}
              value={draft.name}
              onChange={(name) => change({ name })}
              isRequired
            />
            <TextField
              label={said.version}
              hint={said.versionHint}
              fault={faultAt(order.problem, 'version')}
              value={draft.version}
              onChange={(version) => change({ version })}
              isRequired
            />
          </div>
        </section>
        <section class="card stack">
          <h2>{said.attributes}</h2>
          <p class="quiet">{said.attributesLead}</p>
          <AttributeRows attributes={draft.attributes} onChange={(attributes) => change({ attributes })} />
        </section>
        {doubled.length > 0 && <Notice tone="bad" title={fill(said.twice, { names: doubled.join(', ') })} />}
        <ProblemNotice problem={besideFields(order.problem, ['name', 'version'])} />
        <Notice tone="warn">
          <p>{said.forEver}</p>
        </Notice>
        <div class="row">
          <Button look="main" isBusy={order.isUnderWay}>
            {said.publish}
          </Button>
        </div>
      </Form>
    </>
  )
}

export const NewSchemaPage = forAdministrators(Content, { title: said.newTitle, back: BACK })
