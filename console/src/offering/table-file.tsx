import { useRef, useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { texts } from '../texts/texts.ts'
import type { ChosenTable } from './use-offer-lines.ts'

const said = texts.many
/** Room for as many lines as a table may have, with some twenty values each. */
const FILE_BYTES_MAX = 64 * 1024 * 1024

/** The file with the table. A file of the same name is chosen again after it was mended. */
export const TableFile = ({ onChange }: { onChange: (table: ChosenTable | null) => void }) => {
  const [fault, setFault] = useState<string | null>(null)
  const newest = useRef<File | undefined>(undefined)
  const take = async (file: File | undefined): Promise<void> => {
    newest.current = file
    const isTooLarge = file !== undefined && file.size > FILE_BYTES_MAX
    setFault(isTooLarge ? said.fileTooLarge : null)
    if (file === undefined || isTooLarge) return onChange(null)
    const text = await file.text().catch(() => null)
    // The person may have chosen another file while the browser read this one.
    if (newest.current !== file) return
    if (text === null) setFault(said.fileUnreadable)
    onChange(text === null ? null : { name: file.name, text })
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
