import type { ComponentChildren } from 'preact'

type FormProps = {
  readonly onSend: () => void
  readonly label?: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** Sends itself by script alone; the browser checks what is required. */
export const Form = ({ onSend, label, class: own = 'stack', children }: FormProps) => (
  <form
    class={own}
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault()
      onSend()
    }}
  >
    {children}
  </form>
)
