import type { ComponentChildren } from 'preact'

type ButtonProps = {
  readonly children: ComponentChildren
  readonly look?: 'main' | 'bad' | 'plain'
  readonly isSmall?: boolean
  readonly isBusy?: boolean
  readonly onPress?: () => void
  readonly describedBy?: string
}

const classOf = ({ look, isSmall = false }: Pick<ButtonProps, 'look' | 'isSmall'>): string =>
  ['button', look, isSmall && 'small'].filter(Boolean).join(' ')

/** Without `onPress` it sends its form. While it is busy it stays where it is, with the focus, and does nothing. */
export const Button = ({ children, look, isSmall, isBusy = false, onPress, describedBy }: ButtonProps) => (
  <button
    type={onPress === undefined ? 'submit' : 'button'}
    class={classOf({ ...(look && { look }), ...(isSmall !== undefined && { isSmall }) })}
    aria-disabled={isBusy}
    aria-describedby={describedBy}
    onClick={(event) => {
      if (isBusy) event.preventDefault()
      else onPress?.()
    }}
  >
    {children}
  </button>
)

type LinkProps = Pick<ButtonProps, 'children' | 'look' | 'isSmall'> & { readonly to: string }

export const LinkButton = ({ children, to, ...look }: LinkProps) => (
  <a class={classOf(look)} href={to}>
    {children}
  </a>
)
