import { Field } from './field.tsx'

type DayFieldProps = {
  readonly label: string
  readonly hint?: string
  /** YYYY-MM-DD, as the person means it; empty where none is chosen. */
  readonly value: string
  readonly onChange: (day: string) => void
  /** The last day that can be chosen. */
  readonly last?: string
  readonly isRequired?: boolean
}

export const DayField = ({ label, hint, value, onChange, last, isRequired = false }: DayFieldProps) => (
  <Field
    label={label}
    hint={hint}
    control={({ id, describedBy }) => (
      <input
        id={id}
        class="input"
        type="date"
        value={value}
        max={last}
        required={isRequired}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  />
)
