import type { ComponentChildren } from 'preact'

type EmptyProps = { readonly title: string; readonly text: string; readonly children?: ComponentChildren }

/** Where nothing is to be shown: why, and what to do next. */
export const Empty = ({ title, text, children }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
)
