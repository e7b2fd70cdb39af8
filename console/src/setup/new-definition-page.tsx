import { useLocation } from 'preact-iso'
import { Button, LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { useWholeList } from '../state/use-whole-list.ts'
import { texts } from '../texts/texts.ts'
import { forAdministrators } from './for-administrators.tsx'

const said = texts.definition
const BACK = { to: '/console/definitions', text: texts.pages.definitions }

/** Keys for a schema. The schema may come from its page, by the address. */
const Content = () => {
  const { query, route } = useLocation()
  const { items: schemas, problem } = useWholeList('listSchemas', { status: 'published' })
  const given = query['schema'] ?? ''
  const [draft, change, forget] = useDraft(`definition.${given}`, { schemaId: given, tag: 'default' })
  const order = useOrder('publishCredentialDefinition')
  const chosen = draft.schemaId === '' ? (schemas?.[0]?.id ?? '') : draft.schemaId
  const publish = async (): Promise<void> => {
    const made = await order.give({ body: { schemaId: chosen, tag: draft.tag.trim() } })
    if (made === null) return
    forget()
    route(`/console/definitions/${encodeURIComponent(made.id)}`, true)
  }
  const head = <PageHead title={said.newTitle} lead={said.newLead} back={BACK} />
  if (schemas?.length === 0)
    return (
      <>
        {head}
        <Empty title={said.noSchemaTitle} text={said.noSchema}>
          <LinkButton to="/console/schemas/new" look="main">
            {texts.schema.create}
          </LinkButton>
        </Empty>
      </>
    )
  return (
    <>
      {head}
      <Form class="stack wide narrow" onSend={() => void publish()}>
        <section class="card stack">
          <SelectField
            label={said.schema}
            hint={said.schemaHint}
            fault={faultAt(order.problem, 'schemaId')}
            value={chosen}
            choices={(schemas ?? []).map(({ id, name, version }) => ({
              value: id,
              text: `${name} ${version}`,
            }))}
            onChange={(schemaId) => change({ schemaId })}
          />
          <TextField
            label={said.tag}
            hint={said.tagHint}
            fault={faultAt(order.problem, 'tag')}
            value={draft.tag}
            onChange={(tag) => change({ tag })}
            isRequired
          />
        </section>
        <ProblemNotice problem={problem ?? besideFields(order.problem, ['schemaId', 'tag'])} />
        <Notice>
          <p>{said.takesMinutes}</p>
        </Notice>
        <div class="row">
          <Button look="main" isBusy={order.isUnderWay || chosen === ''}>
            {said.publish}
          </Button>
        </div>
      </Form>
    </>
  )
}

export const NewDefinitionPage = forAdministrators(Content, { title: said.newTitle, back: BACK })
