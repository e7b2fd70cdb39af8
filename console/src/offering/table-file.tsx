import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { texts } from '../texts/texts.ts'
import type { ChosenTable } from './use-offer-lines.ts'

const said = texts.many
/** Room for as many lines as a table may have, with some twenty values each. */
const FILE_BYTES_MAX = 64 * 1024 * 1024

/** The file with the table. A file of the same name is chosen again after it was mended. */
export const TableFile = ({ onChange }: { onChange: (table: ChosenTable | null) => void }) => {
  const [fault, setFault] = useState<string | null>(null)
  const take = async (file: File | undefined): Promise<void> => {
    const isTooLarge = file !== undefined && file.size > FILE_BYTES_MAX
    setFault(isTooLarge ? said.fileTooLarge : null)
    onChange(file === undefined || isTooLarge ? null : { name: file.name, text: await file.text() })
  }
  return (
    <Field
      label={said.file}
      hint={said.fileHint}
      fault={fault}
      control={({ id, describedBy, isWrong }) => (
        <input
          id={id}
          class="input file"
          type="file"
          accept=".csv,text/csv,text/tab-separated-values"
          required
          aria-describedby={describedBy}
          aria-invalid={isWrong}
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      )}
    />
  )
}
