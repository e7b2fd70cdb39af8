import { texts } from '../texts/texts.ts'

type RecordNameProps = {
  readonly to: string
  /** What it is called, by whoever may call it something; text and nothing else. */
  readonly name: string | null
  readonly id: string
  readonly isErased?: boolean
}

/** The way to a record: by its name where it has one, and by its id. */
export const RecordName = ({ to, name, id, isErased = false }: RecordNameProps) => (
  <>
    <a href={to}>{name ?? <code>{id}</code>}</a>
    {isErased && <span class="quiet small"> {texts.common.erased}</span>}
  </>
)
