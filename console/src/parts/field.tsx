import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type Said = {
  readonly label: string
  readonly hint?: string | undefined
  readonly fault?: string | null | undefined
}

type Described = { readonly id: string; readonly describedBy: string | undefined; readonly isWrong: boolean }

type FieldProps = Said & {
  readonly class?: string
  readonly control: (described: Described) => ComponentChildren
}

/** A label, its control, what helps, and what is wrong with it. */
export const Field = ({ label, hint, fault, control, class: own = '' }: FieldProps) => {
  const id = useId()
  const isWrong = fault !== undefined && fault !== null && fault !== ''
  const describedBy = [hint && `${id}-hint`, isWrong && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class={`field ${own}`}>
      <label for={id}>{label}</label>
      {control({ id, describedBy: describedBy === '' ? undefined : describedBy, isWrong })}
      {isWrong && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}

type TextProps = Said & {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'url' | 'datetime-local'
  readonly name?: string
  readonly autoComplete?: string
  readonly isRequired?: boolean
  readonly lengthMax?: number
  readonly isCode?: boolean
  readonly isFirst?: boolean
  readonly placeholder?: string
  readonly class?: string
  readonly inputMode?: 'numeric' | 'text'
}

export const TextField = (props: TextProps) => {
  const { label, hint, fault, value, onChange, type = 'text', isCode = false, isFirst = false } = props
  const input = useRef<HTMLInputElement>(null)
  // The types want to know beforehand which type it is, because each allows other roles; none is given here.
  const typed: object = { type, ...(isFirst && { 'data-first': '' }) }
  // The attribute of the same meaning counts only while a document is being loaded.
  useEffect(() => {
    if (isFirst) input.current?.focus()
  }, [])
  return (
    <Field
      label={label}
      hint={hint}
      fault={fault}
      class={props.class ?? ''}
      control={({ id, describedBy, isWrong }) => (
        <input
          ref={input}
          id={id}
          class={isCode ? 'input code-entry' : 'input'}
          {...typed}
          name={props.name}
          value={value}
          required={props.isRequired}
          maxLength={props.lengthMax}
          autoComplete={props.autoComplete ?? 'off'}
          inputMode={props.inputMode ?? (isCode ? 'numeric' : undefined)}
          placeholder={props.placeholder}
          spellcheck={false}
          autoCapitalize="none"
          aria-describedby={describedBy}
          aria-invalid={isWrong}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    />
  )
}

type Choice = { readonly value: string; readonly text: string }

type SelectProps = Said & {
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
  readonly isInline?: boolean
  readonly isRequired?: boolean
}

export const SelectField = ({
  value,
  choices,
  onChange,
  isInline = false,
  isRequired = false,
  ...said
}: SelectProps) => (
  <Field
    {...said}
    class={isInline ? 'inline' : ''}
    control={({ id, describedBy, isWrong }) => (
      <select
        id={id}
        class="input"
        value={value}
        required={isRequired}
        aria-describedby={describedBy}
        aria-invalid={isWrong}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    )}
  />
)

type CheckProps = {
  readonly label: string
  readonly hint?: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

export const CheckField = ({ label, hint, isChecked, onChange }: CheckProps) => {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint quiet small" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}
