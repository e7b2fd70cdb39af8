import { texts } from '../texts/texts.ts'

const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#3549c0" />
    <path
      d="M8 10l8 14 8-14"
      fill="none"
      stroke="#fff"
      stroke-width="4"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
)

/** Whose console it is. */
export const Brand = ({
  name = texts.product,
  below,
}: {
  readonly name?: string
  readonly below?: string
}) => (
  <div class="brand">
    <Mark />
    <div class="names">
      <strong>{name}</strong>
      {below && <span class="quiet small">{below}</span>}
    </div>
  </div>
)
