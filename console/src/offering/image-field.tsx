import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { texts } from '../texts/texts.ts'

const said = texts.image
const BYTES_MAX = 5 * 1024 * 1024
const READ_AT_ONCE = 0x80_00

type ImageFieldProps = {
  readonly isChosen: boolean
  /** In base64; empty where none is chosen. */
  readonly onChange: (image: string) => void
  readonly fault?: string | null
}

/** The face that a holder is compared with. It stays in this page: a reload forgets it, because it is personal. */
export const ImageField = ({ isChosen, onChange, fault }: ImageFieldProps) => {
  const [tooLarge, setTooLarge] = useState(false)
  const take = async (file: File | undefined): Promise<void> => {
    const isTooLarge = file !== undefined && file.size > BYTES_MAX
    setTooLarge(isTooLarge)
    onChange(file === undefined || isTooLarge ? '' : base64Of(await file.arrayBuffer()))
  }
  return (
    <Field
      label={said.label}
      hint={said.hint}
      fault={tooLarge ? said.tooLarge : fault}
      control={({ id, describedBy, isWrong }) => (
        <input
          id={id}
          class="input file"
          type="file"
          accept="image/jpeg,image/png"
          required={!isChosen}
          aria-describedby={describedBy}
          aria-invalid={isWrong}
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      )}
    />
  )
}

const base64Of = (bytes: ArrayBuffer): string => {
  const all = new Uint8Array(bytes)
  const parts: string[] = []
  for (let at = 0; at < all.length; at += READ_AT_ONCE)
    parts.push(String.fromCodePoint(...all.subarray(at, at + READ_AT_ONCE)))
  return btoa(parts.join(''))
}
