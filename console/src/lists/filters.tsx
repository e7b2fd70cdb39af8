import { useEffect, useRef, useState } from 'preact/hooks'
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

export const Filters = ({ filters, address, onChange }: FiltersProps) => {
  const search = useSearch(address, onChange)
  const clear = (): void => {
    search.type('')
    onChange({ ...address, page: 1, filters: {} })
  }
  return (
    <search class="filters">
      {filters.map((filter) => (
        <OneFilter
          key={nameOf(filter)}
          filter={filter}
          search={search}
          value={address.filters[nameOf(filter)] ?? ''}
          onChange={(value) => onChange(withFilter(search.address, nameOf(filter), value))}
        />
      ))}
      {Object.keys(address.filters).length > 0 && (
        <Button look="plain" onPress={clear}>
          {said.clear}
        </Button>
      )}
    </search>
  )
}

const SEARCH_MS = 300
const CHARACTERS_MAX = 100

type Search = {
  readonly typed: string
  readonly type: (typed: string) => void
  /** What is shown, with what was typed a moment ago: another filter that changes takes it along. */
  readonly address: ListAddress
}

/** Looks while it is typed, with a pause, so that not every letter is a request. */
const useSearch = (address: ListAddress, onChange: FiltersProps['onChange']): Search => {
  const value = address.filters['q'] ?? ''
  const [typed, setTyped] = useState(value)
  const withTyped = typed === value ? address : withFilter(address, 'q', typed)
  // Of the moment in which the pause is over: another filter may have changed since it began.
  const look = useRef(ignored)
  look.current = () => onChange(withTyped)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return undefined
    const timer = setTimeout(() => look.current(), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [typed, value])
  return { typed, type: setTyped, address: withTyped }
}

const ignored = (): void => undefined

type OneFilterProps = {
  readonly filter: Filter
  readonly search: Search
  readonly value: string
  readonly onChange: (value: string) => void
}

const OneFilter = ({ filter, search, value, onChange }: OneFilterProps) => {
  if (filter.is === 'search')
    return (
      <TextField
        label={said.search}
        type="search"
        class="search"
        placeholder={filter.hint}
        value={search.typed}
        onChange={search.type}
        lengthMax={CHARACTERS_MAX}
      />
    )
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
