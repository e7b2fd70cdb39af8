import { encode } from 'uqr'

type QrCodeProps = {
  readonly text: string
  readonly label: string
  /** For a long text, which has many small squares. */
  readonly isLarge?: boolean
}

/** Dark on white whatever the colours of the page are, as cameras want it. */
export const QrCode = ({ text, label, isLarge = false }: QrCodeProps) => {
  const { data, size } = encode(text, { ecc: isLarge ? 'L' : 'M', border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      class={isLarge ? 'qr large' : 'qr'}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
