import { Button } from '../parts/button.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { texts } from '../texts/texts.ts'
import {
  type DraftPredicate,
  type Operator,
  OPERATORS,
  VALUE_FORMS,
  type ValueForm,
} from './template-draft.ts'

type PredicateRowProps = {
  readonly predicate: DraftPredicate
  readonly attributes: readonly string[]
  readonly onChange: (predicate: DraftPredicate) => void
  readonly onRemove: () => void
}

const said = texts.template

export const PredicateRow = ({ predicate, attributes, onChange, onRemove }: PredicateRowProps) => (
  <div class="predicate">
    <SelectField
      label={said.attribute}
      value={predicate.attribute}
      choices={attributes.map((value) => ({ value, text: value }))}
      onChange={(attribute) => onChange({ ...predicate, attribute })}
    />
    <SelectField
      label={said.operator}
      value={predicate.operator}
      choices={OPERATORS.map((value) => ({ value, text: said.operators[value] }))}
      onChange={(operator) => onChange({ ...predicate, operator: operator as Operator })}
    />
    <TextField
      label={said.value}
      type="number"
      value={predicate.value}
      onChange={(value) => onChange({ ...predicate, value })}
      isRequired
    />
    <SelectField
      label={said.form}
      value={predicate.form}
      choices={VALUE_FORMS.map((value) => ({ value, text: said.forms[value] }))}
      onChange={(form) => onChange({ ...predicate, form: form as ValueForm })}
    />
    <Button look="plain" onPress={onRemove}>
      {texts.schema.remove}
      <span class="unseen"> {predicate.attribute}</span>
    </Button>
  </div>
)
