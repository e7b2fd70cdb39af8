import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { CredentialDefinition } from '../api/generated/operations.ts'
import { definitionName } from '../lists/definition-names.ts'
import { Button } from '../parts/button.tsx'
import { CheckField, TextField } from '../parts/field.tsx'
import { texts } from '../texts/texts.ts'
import { ledgerIdOf } from './definition-attributes.ts'
import { PredicateRow } from './predicate-row.tsx'
import { type DraftGroup, EMPTY_PREDICATE, withDefinitions } from './template-draft.ts'

type TemplateGroupProps = {
  readonly group: DraftGroup
  readonly definitions: readonly CredentialDefinition[]
  readonly attributesOf: (definitionIds: readonly string[]) => readonly string[]
  readonly onChange: (group: DraftGroup) => void
  /** Left out where it is the only one. */
  readonly onRemove?: (() => void) | undefined
}

const said = texts.template

const toggled = (all: readonly string[], one: string, isIn: boolean): readonly string[] =>
  isIn ? [...all, one] : all.filter((each) => each !== one)

/** One credential that is asked for: which may answer, what it shows, what must be true of it. */
export const TemplateGroup = (props: TemplateGroupProps) => {
  const { group, definitions, attributesOf, onChange, onRemove } = props
  const id = useId()
  const attributes = attributesOf(group.definitionIds)
  const choose = (definition: string, isIn: boolean): void => {
    const definitionIds = toggled(group.definitionIds, definition, isIn)
    onChange(withDefinitions(group, definitionIds, attributesOf(definitionIds)))
  }
  const change = (part: Partial<DraftGroup>): void => onChange({ ...group, ...part })
  return (
    <section class="card stack" aria-labelledby={id}>
      <div class="row apart">
        <h2 id={id}>{said.group}</h2>
        {onRemove && (
          <Button look="plain" isSmall onPress={onRemove}>
            {texts.schema.remove}
          </Button>
        )}
      </div>
      <TextField
        label={said.groupName}
        hint={said.groupNameHint}
        value={group.name}
        onChange={(name) => change({ name })}
        isRequired
      />
      <Choices legend={said.definitions} hint={said.definitionsHint}>
        {definitions.map((definition) => (
          <CheckField
            key={definition.id}
            label={definitionName(definition)}
            isChecked={group.definitionIds.includes(ledgerIdOf(definition))}
            onChange={(isIn) => choose(ledgerIdOf(definition), isIn)}
          />
        ))}
      </Choices>
      {attributes.length > 0 && (
        <>
          <Choices legend={said.attributes} hint={said.attributesHint}>
            {attributes.map((name) => (
              <CheckField
                key={name}
                label={name}
                isChecked={group.attributes.includes(name)}
                onChange={(isIn) => change({ attributes: toggled(group.attributes, name, isIn) })}
              />
            ))}
          </Choices>
          <Predicates group={group} attributes={attributes} onChange={change} />
        </>
      )}
    </section>
  )
}

type PredicatesProps = {
  readonly group: DraftGroup
  readonly attributes: readonly string[]
  readonly onChange: (part: Pick<DraftGroup, 'predicates'>) => void
}

const Predicates = ({ group: { predicates }, attributes, onChange }: PredicatesProps) => (
  <Choices legend={said.predicates} hint={said.predicatesHint}>
    {predicates.map((predicate, index) => (
      <PredicateRow
        key={index}
        predicate={predicate}
        attributes={attributes}
        onChange={(changed) =>
          onChange({ predicates: predicates.map((each, at) => (at === index ? changed : each)) })
        }
        onRemove={() => onChange({ predicates: predicates.filter((_, at) => at !== index) })}
      />
    ))}
    <div class="row">
      <Button
        isSmall
        onPress={() =>
          onChange({ predicates: [...predicates, { ...EMPTY_PREDICATE, attribute: attributes[0] ?? '' }] })
        }
      >
        {said.addPredicate}
      </Button>
    </div>
  </Choices>
)

const Choices = (props: { legend: string; hint: string; children: ComponentChildren }) => (
  <fieldset class="stack tight">
    <legend>
      <strong class="small">{props.legend}</strong>
    </legend>
    <p class="quiet small">{props.hint}</p>
    {props.children}
  </fieldset>
)
