import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type DialogProps = {
  readonly title: string
  readonly class?: string
  /** Escape, or a press beside it; without it the dialog stays. */
  readonly onClose?: () => void
  readonly children: ComponentChildren
}

/** Over the page, which waits unchanged behind it; the browser keeps the focus inside and gives it back. */
export const Dialog = ({ title, class: own = '', onClose, children }: DialogProps) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    // The browser gives the focus to whatever stands first, which may be filled in already.
    current?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={own}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
