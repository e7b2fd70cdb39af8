import { useState } from 'preact/hooks'
import { texts } from '../texts/texts.ts'
import { Button } from './button.tsx'

const SHOWN_MS = 2_000

/** `what` tells apart for whoever only hears it what is copied. */
export const CopyButton = ({ text, label = texts.common.copy, what = '' }: CopyProps) => {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <Button look="plain" isSmall onPress={() => void copy().catch(() => undefined)}>
      {isCopied ? texts.common.copied : label}
      {what !== '' && <span class="unseen"> {what}</span>}
    </Button>
  )
}

type CopyProps = { readonly text: string; readonly label?: string; readonly what?: string }

/** An id or an address as it is, to be copied. */
export const Copyable = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <span class="copyable">
    <code>{text}</code>
    <CopyButton text={text} what={what} />
  </span>
)
