import { defineRawRoute, type Route } from '../route/route.ts'

type FixedText = {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A text that needs no credential and stays the same while the service runs. */
export const fixedTextRoute = ({ path, operationId, summary, headers, body }: FixedText): Route => {
  const answer = {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff', ...headers },
    body,
  }
  const raw = { contentTypes: [], handle: () => answer }
  return defineRawRoute({ method: 'GET', path, operationId, summary, errors: [], raw })
}
