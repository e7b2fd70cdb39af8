import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../texts/texts.ts'

type PageHeadProps = {
  readonly title: string
  readonly lead?: string
  readonly back?: { readonly to: string; readonly text: string }
  readonly beside?: ComponentChildren
  readonly children?: ComponentChildren
}

/** Whether a page of this console was shown before; the first one leaves the focus where the browser has it. */
let isLater = false

/** The heading of a page; who comes to the page is brought to it, with the keyboard and by what reads aloud. */
export const PageHead = ({ title, lead, back, beside, children }: PageHeadProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isLater) heading.current?.focus()
    isLater = true
  }, [])
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
  return (
    <div class="page-head">
      <div>
        {back && (
          <a class="way-back" href={back.to}>
            ← {back.text}
          </a>
        )}
        <div class="row">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="row">{children}</div>}
    </div>
  )
}
