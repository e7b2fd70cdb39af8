import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { DayField } from '../parts/day-field.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { fill, texts } from '../texts/texts.ts'
import { type ListAddress, withFilter } from '../state/list-address.ts'

export type Filter =
  | { readonly is: 'search'; readonly hint: string }
  | {
      readonly is: 'choice'
      readonly name: string
      readonly label: string
      readonly choices: readonly { readonly value: string; readonly text: string }[]
    }
  | { readonly is: 'day'; readonly name: 'from' | 'to' }
  /** Comes from another page and can only be taken away. */
  | { readonly is: 'given'; readonly name: string; readonly label: string }

type FiltersProps = {
  readonly filters: readonly Filter[]
  readonly address: ListAddress
  readonly onChange: (address: ListAddress) => void
}

const said = texts.lists

export const nameOf = (filter: Filter): string => (filter.is === 'search' ? 'q' : filter.name)

export const Filters = ({ filters, address, onChange }: FiltersProps) => (
  <search class="filters">
    {filters.map((filter) => (
      <OneFilter
        key={nameOf(filter)}
        filter={filter}
        value={address.filters[nameOf(filter)] ?? ''}
        onChange={(value) => onChange(withFilter(address, nameOf(filter), value))}
      />
    ))}
    {Object.keys(address.filters).length > 0 && (
      <Button look="plain" onPress={() => onChange({ ...address, page: 1, filters: {} })}>
        {said.clear}
      </Button>
    )}
  </search>
)

type OneFilterProps = {
  readonly filter: Filter
  readonly value: string
  readonly onChange: (value: string) => void
}

const OneFilter = ({ filter, value, onChange }: OneFilterProps) => {
  if (filter.is === 'search') return <Search hint={filter.hint} value={value} onChange={onChange} />
  if (filter.is === 'choice')
    return (
      <SelectField
        label={filter.label}
        value={value}
        choices={[{ value: '', text: texts.common.all }, ...filter.choices]}
        onChange={onChange}
      />
    )
  if (filter.is === 'day')
    return <DayField label={filter.name === 'from' ? said.from : said.to} value={value} onChange={onChange} />
  if (value === '') return null
  return (
    <Button isSmall onPress={() => onChange('')}>
      {fill(filter.label, { id: value })}
      <span aria-hidden="true">×</span>
      <span class="unseen">{said.takeAway}</span>
    </Button>
  )
}

const SEARCH_MS = 300
const CHARACTERS_MAX = 100

/** Looks while it is typed, with a pause, so that not every letter is a request. */
const Search = ({
  hint,
  value,
  onChange,
}: {
  hint: string
  value: string
  onChange: (value: string) => void
}) => {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return undefined
    const timer = setTimeout(() => onChange(typed), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextField
      label={said.search}
      type="search"
      class="search"
      placeholder={hint}
      value={typed}
      onChange={setTyped}
      lengthMax={CHARACTERS_MAX}
    />
  )
}
