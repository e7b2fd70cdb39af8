import { Button } from '../parts/button.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { fill, texts } from '../texts/texts.ts'
import { type DraftAttribute, EXPIRES_AT, VALUE_KINDS, type ValueKind } from './value-kinds.ts'

type AttributeRowsProps = {
  readonly attributes: readonly DraftAttribute[]
  readonly onChange: (attributes: readonly DraftAttribute[]) => void
}

const said = texts.schema
const kinds = texts.valueKinds
const CHOICES = VALUE_KINDS.map((value) => ({ value, text: kinds[value].name }))
const NAME_CHARACTERS_MAX = 100

/** A row for each attribute, with the recipe for its values where the person chooses what it is. */
export const AttributeRows = ({ attributes, onChange }: AttributeRowsProps) => {
  const change = (index: number, part: Partial<DraftAttribute>): void =>
    onChange(attributes.map((each, at) => (at === index ? { ...each, ...part } : each)))
  return (
    <fieldset class="stack">
      <legend class="unseen">{said.attributes}</legend>
      <ol class="stack">
        {attributes.map(({ name, kind }, index) => (
          <li key={index} class="attribute">
            <TextField
              label={fill(said.attribute, { number: index + 1 })}
              value={name}
              onChange={(changed) => change(index, { name: changed })}
              lengthMax={NAME_CHARACTERS_MAX}
              isRequired
            />
            <SelectField
              label={said.kind}
              hint={kinds[kind].recipe}
              value={kind}
              choices={CHOICES}
              onChange={(changed) => change(index, { kind: changed as ValueKind })}
            />
            <Button look="plain" onPress={() => onChange(attributes.filter((_, at) => at !== index))}>
              {said.remove}
              <span class="unseen"> {name}</span>
            </Button>
          </li>
        ))}
        <li class="attribute">
          <div class="field">
            <span class="label">{said.end}</span>
            <code class="fixed">{EXPIRES_AT}</code>
          </div>
          <p class="hint quiet small">{said.endHint}</p>
        </li>
      </ol>
      <div class="row">
        <Button onPress={() => onChange([...attributes, { name: '', kind: 'text' }])}>{said.add}</Button>
      </div>
    </fieldset>
  )
}
