import { useAnswer } from '../state/use-answer.ts'
import { SelectField } from '../parts/field.tsx'
import { fill, texts } from '../texts/texts.ts'

type ConnectionChoiceProps = {
  readonly value: string
  readonly onChange: (id: string) => void
  readonly fault?: string | null
}

const said = texts.offer

/** The wallets that answered last; another one is chosen on the page of its connection. */
export const ConnectionChoice = ({ value, onChange, fault }: ConnectionChoiceProps) => {
  const { body } = useAnswer('listConnections', { query: { state: ['completed'], pageSize: 100 } })
  const known = body?.items ?? []
  const chosen = known.some(({ id }) => id === value) || value === '' ? [] : [{ value, text: value }]
  return (
    <SelectField
      label={texts.connections.holder}
      hint={said.connectionHint}
      fault={fault}
      value={value}
      isRequired
      choices={[
        { value: '', text: said.choose },
        ...chosen,
        ...known.map(({ id, theirLabel, externalId }) => ({
          value: id,
          text: fill(said.connection, { label: theirLabel ?? id, externalId: externalId ?? '' }).trim(),
        })),
      ]}
      onChange={onChange}
    />
  )
}
