import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type DialogProps = {
  readonly title: string
  readonly class?: string
  /** Escape, or a press beside it; without it the dialog stays. */
  readonly onClose?: () => void
  readonly children: ComponentChildren
}

/** Over the page, which waits unchanged behind it. The focus stays inside, and goes back to where it was. */
export const Dialog = ({ title, class: own = '', onClose, children }: DialogProps) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    const opener = document.activeElement
    current?.showModal()
    // The browser gives the focus to whatever stands first, which may be filled in already.
    current?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      current?.close()
      // The browser would do it, were the dialog still there when it is closed.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
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
