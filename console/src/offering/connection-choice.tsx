import { RecordChoice } from '../lists/record-choice.tsx'
import { fill, texts } from '../texts/texts.ts'

type ConnectionChoiceProps = {
  readonly value: string
  readonly onChange: (id: string) => void
  readonly fault: string | null
}

const said = texts.offer

/** The wallets that answered last, and a search for the others. */
export const ConnectionChoice = (props: ConnectionChoiceProps) => (
  <RecordChoice
    {...props}
    operation="listConnections"
    query={{ state: ['completed'] }}
    label={texts.connections.holder}
    hint={said.connectionHint}
    none={said.choose}
    searchHint={texts.connections.searchHint}
    textOf={({ id, theirLabel, externalId }) =>
      fill(said.connection, { label: theirLabel ?? id, externalId: externalId ?? '' }).trim()
    }
  />
)
