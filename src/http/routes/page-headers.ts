/** Pages load nothing from other hosts, run nothing inline and stand in no frame. */
const POLICY: readonly string[] = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
]

/** Headers of a page and of what it loads; `further` directives allow what this page alone does. */
export const pageHeaders = (...further: readonly string[]): Readonly<Record<string, string>> =>
  Object.freeze({
    'Content-Security-Policy': [...POLICY, ...further].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  })

/** For a file whose name has the hash of its content, so that the content never changes. */
export const FOR_EVER = 'public, max-age=31536000, immutable'
