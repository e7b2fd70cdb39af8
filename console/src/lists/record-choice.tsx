import { useEffect, useRef, useState } from 'preact/hooks'
import type { Takes } from '../api/generated/operations.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import type { ItemOf, ListName } from '../state/use-whole-list.ts'
import { useAnswer } from '../state/use-answer.ts'
import { fill, numberText, texts } from '../texts/texts.ts'

type RecordChoiceProps<Name extends ListName> = {
  readonly operation: Name
  /** Which records there are to choose from. */
  readonly query?: object
  readonly label: string
  readonly hint?: string
  readonly fault?: string | null
  /** What is said while nothing is chosen. */
  readonly none: string
  readonly searchHint: string
  /** The id of a record; empty: none yet. */
  readonly value: string
  readonly textOf: (item: ItemOf<Name>) => string
  readonly onChange: (id: string) => void
}

const PAGE_SIZE = 100
const SEARCH_MS = 300
const CHARACTERS_MAX = 100

/** One of many records: the newest to choose from, and a search where there are more of them. */
export const RecordChoice = <Name extends ListName>(props: RecordChoiceProps<Name>) => {
  const { operation, query = {}, value, textOf, none, searchHint, onChange, ...said } = props
  const [typed, setTyped] = useState('')
  const [sought, setSought] = useState('')
  const q = sought === '' ? {} : { q: sought }
  // The filters of a list have the names of its query, which the types cannot see.
  const takes: object = { query: { ...query, ...q, pageSize: PAGE_SIZE } }
  const { body, problem } = useAnswer(operation, takes as Takes[Name])
  useEffect(() => {
    const timer = setTimeout(() => setSought(typed.trim()), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const items: readonly ItemOf<Name>[] = body?.items ?? []
  // What was found by a search before is called by its name still.
  const names = useRef(new Map<string, string>())
  for (const item of items) names.current.set(item.id, textOf(item))
  const isFound = value === '' || items.some(({ id }) => id === value)
  const isMany = typed !== '' || sought !== '' || (body !== null && body.total > PAGE_SIZE)
  return (
    <>
      {isMany && (
        <TextField
          label={fill(texts.choice.search, { what: said.label })}
          hint={body === null ? undefined : hintOf(body.total)}
          type="search"
          placeholder={searchHint}
          value={typed}
          onChange={setTyped}
          lengthMax={CHARACTERS_MAX}
        />
      )}
      <SelectField
        {...said}
        value={value}
        isRequired
        choices={[
          { value: '', text: none },
          ...(isFound ? [] : [{ value, text: names.current.get(value) ?? value }]),
          ...items.map((item) => ({ value: item.id, text: textOf(item) })),
        ]}
        onChange={onChange}
      />
      {body === null && <ProblemNotice problem={problem} />}
    </>
  )
}

const hintOf = (total: number): string => {
  if (total === 0) return texts.choice.none
  const values = { shown: numberText(Math.min(total, PAGE_SIZE)), total: numberText(total) }
  return fill(texts.choice.shown, values)
}
