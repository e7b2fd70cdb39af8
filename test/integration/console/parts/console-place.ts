import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { readLocalCredential } from '../../../../src/compose/local-credential.ts'
import { httpEngine } from '../../../e2e/against.ts'
import { ServiceProcess } from '../../../service-process.ts'

export type Json = Readonly<Record<string, unknown>>

/** An order of the operator of the machine; one that is about an organisation names it. */
export type LocalOrder = {
  readonly method: string
  readonly path: string
  readonly body?: object | undefined
  readonly organisation?: string
}

/** Whose console is looked at: an organisation of the test's own, with the link for its first administrator. */
export type ConsolePlace = {
  /** As people see it, so that cookies and passkeys are those of a name. */
  readonly url: string
  readonly apiKey: string
  readonly organisation: { readonly id: string; readonly name: string }
  readonly invitation: string
  /** What the browser is started with, so that it takes the certificate. */
  readonly browserWords: readonly string[]
  readonly order: (order: LocalOrder) => Promise<Json>
  readonly stop: () => Promise<unknown>
}

export type OpenPlace = (environment: Readonly<Record<string, string>>) => Promise<ConsolePlace>

/** A service of the test's own, as its first start leaves it. */
export const embeddedPlace: OpenPlace = async (environment) => {
  const engine = httpEngine === null ? {} : { VOUCHSAFE_HTTP_ENGINE: httpEngine }
  const service = new ServiceProcess({ ...engine, ...environment })
  const { url } = await service.untilListening().catch(async (error: unknown) => {
    await service.stop()
    throw error
  })
  const dataFolder = environment['VOUCHSAFE_DATA_FOLDER'] ?? join(service.folder, 'data')
  return {
    url,
    apiKey: service.apiKey,
    organisation: { id: 'ten_00development', name: 'Development' },
    invitation: /\S+\/console\/invitation#\S+/.exec(service.shown)?.[0] ?? '',
    browserWords: [],
    order: (order) => orderAt(dataFolder, order),
    stop: () => service.stop(),
  }
}

/** As the command line gives it, to the service that runs on this data folder; a refusal is an answer too. */
export const orderAt = async (
  dataFolder: string,
  { method, path, body, organisation }: LocalOrder,
): Promise<Json> => {
  const credential = readLocalCredential(dataFolder)
  if (credential === null) throw new Error(`no service runs on ${dataFolder}`)
  const answer = await fetch(`${credential.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential.token}`,
      'content-type': 'application/json',
      // A wallet is named by it, as its installation is.
      'idempotency-key': randomUUID(),
      ...(organisation !== undefined && { 'x-vouchsafe-organisation': organisation }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Json
}
