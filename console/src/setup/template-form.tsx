import type { Problem } from '../api/problem.ts'
import { Button, LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { CheckField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { usePublishedDefinitions } from './definition-attributes.ts'
import { type DraftGroup, emptyGroup, type TemplateDraft } from './template-draft.ts'
import { TemplateGroup } from './template-group.tsx'
import { WalletPreview } from './wallet-preview.tsx'

type TemplateFormProps = {
  readonly draft: TemplateDraft
  readonly change: (part: Partial<TemplateDraft>) => void
  readonly problem: Problem | null
  readonly isUnderWay: boolean
  readonly onSend: () => void
}

const said = texts.template

export const TemplateForm = ({ draft, change, problem, isUnderWay, onSend }: TemplateFormProps) => {
  const published = usePublishedDefinitions()
  const { definitions, attributesOf } = published
  const { organisation } = usePerson()
  const { groups } = draft
  const changeGroup = (index: number, group: DraftGroup): void =>
    change({ groups: groups.map((each, at) => (at === index ? group : each)) })
  if (definitions?.length === 0)
    return (
      <Empty title={said.noDefinitionTitle} text={said.noDefinition}>
        <LinkButton to="/console/definitions/new" look="main">
          {texts.definition.create}
        </LinkButton>
      </Empty>
    )
  return (
    <Form class="two" onSend={onSend}>
      <div class="stack wide">
        <section class="card stack">
          <TextField
            label={said.name}
            fault={faultAt(problem, 'name')}
            value={draft.name}
            onChange={(name) => change({ name })}
            isRequired
          />
          <TextField
            label={said.description}
            hint={said.descriptionHint}
            fault={faultAt(problem, 'description')}
            value={draft.description}
            onChange={(description) => change({ description })}
          />
        </section>
        {groups.map((group, index) => (
          <TemplateGroup
            key={index}
            group={group}
            definitions={definitions ?? []}
            attributesOf={attributesOf}
            onChange={(changed) => changeGroup(index, changed)}
            onRemove={
              groups.length === 1
                ? undefined
                : () => change({ groups: groups.filter((_, at) => at !== index) })
            }
          />
        ))}
        <div class="row">
          <Button onPress={() => change({ groups: [...groups, emptyGroup(groups.length + 1)] })}>
            {said.addGroup}
          </Button>
        </div>
        <CheckField
          label={said.biometric}
          hint={said.biometricHint}
          isChecked={draft.biometricRequired}
          onChange={(biometricRequired) => change({ biometricRequired })}
        />
        <ProblemNotice problem={published.problem ?? besideFields(problem, ['name', 'description'])} />
        <div class="row">
          <Button look="main" isBusy={isUnderWay}>
            {texts.common.save}
          </Button>
        </div>
      </div>
      <WalletPreview draft={draft} organisation={organisation?.name ?? ''} />
    </Form>
  )
}
