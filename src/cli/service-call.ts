import { readLocalCredential } from '../compose/local-credential.ts'

export type Answer = Readonly<Record<string, unknown>>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Sent = { readonly organisation?: string; readonly body?: object }

/**
 * Calls a route of the running service; throws one sentence for the operator. Routes of an organisation's members want
 * its id as well.
 */
export type Call = (method: Method, path: string, sent?: Sent) => Promise<Answer>

const TIMEOUT_MS = 60_000

/** Calls the service that runs on this data folder, on its private port and with its local credential. */
export const callService =
  (dataFolder: string): Call =>
  async (method, path, sent) => {
    const away = `No service runs on ${dataFolder}: start it, or set VOUCHSAFE_DATA_FOLDER to the folder of the one that runs.`
    const request = localRequest(dataFolder, method, path, sent)
    if (request === null) throw new Error(away)
    let response: Response
    try {
      response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    } catch {
      throw new Error(away)
    }
    const answer = (await response.json().catch(() => ({}))) as Answer
    if (response.ok) return answer
    const { reason } = answer
    throw new Error(typeof reason === 'string' ? reason : `The service answered ${response.status}.`)
  }

/** Null when no service has been started in this folder. */
export const localRequest = (
  dataFolder: string,
  method: Method,
  path: string,
  { organisation, body }: Sent = {},
): Request | null => {
  const credential = readLocalCredential(dataFolder)
  if (credential === null) return null
  const headers = new Headers({ Authorization: `Bearer ${credential.token}` })
  if (organisation !== undefined) headers.set('X-Vouchsafe-Organisation', encodeURIComponent(organisation))
  if (body === undefined) return new Request(`${credential.url}${path}`, { method, headers })
  headers.set('Content-Type', 'application/json')
  return new Request(`${credential.url}${path}`, { method, headers, body: JSON.stringify(body) })
}
