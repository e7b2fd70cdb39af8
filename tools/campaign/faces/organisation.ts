import { untilFinal } from '../../flows/flow.ts'
import type { Json, Tenant } from '../../flows/tenant.ts'
import { untilFound } from '../../harness/waiting.ts'
import { portrait } from '../../vendors/people/portrait.ts'
import type { Plan } from './plan.ts'

/** What was done already is refused when it is asked for again after a kill. */
const HASTE_MS = 2_000
const DECIDED_LIMIT_MS = 5 * 60_000
const LOOK_EVERY_MS = 200
const LIFETIME_SECONDS = 24 * 3_600
const IMAGE_BYTES = [20_000, 200_000]

type Ids = { readonly definitionId: string; readonly templateId: string }

/** The backend of the organisation: begins what is behind a check, and cancels what is not passed. */
export class Organisation {
  readonly #tenant: Tenant
  readonly #hasty: Tenant
  readonly #ids: Ids

  constructor(tenant: Tenant, ids: Ids) {
    this.#tenant = tenant
    this.#hasty = tenant.withPatience(HASTE_MS)
    this.#ids = ids
  }

  /** Calls that were answered as no call ever should be. */
  get defects(): number {
    return (this.#tenant.repeated['500'] ?? 0) + (this.#hasty.repeated['500'] ?? 0)
  }

  /** Answers with the exchange. */
  async begin({ number, kind }: Plan, connectionId: string): Promise<string> {
    const bytes = IMAGE_BYTES[number % IMAGE_BYTES.length] ?? 0
    const referenceImage = portrait({ faces: [{ person: 'holder' }], bytes }).toString('base64')
    const common = { connectionId, externalId: `check-${number}`, biometric: { referenceImage } }
    const { definitionId: credentialDefinitionId, templateId: proofTemplateId } = this.#ids
    const expiresAt = String(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS)
    const attributes = { name: `Holder ${number}`, age: '36', expiresAt }
    const made =
      kind === 'credential'
        ? { path: '/v1/credentials/offer', body: { ...common, credentialDefinitionId, attributes } }
        : { path: '/v1/proofs/request', body: { ...common, proofTemplateId } }
    const { id } = await this.#tenant.post(made.path, made.body, `check-${number}`)
    return String(id)
  }

  /** The record as it is in the end, which is cancelled where its check is not to be passed. */
  async end({ kind, ends }: Plan, id: string): Promise<Json> {
    const path = `/v1/${kind}s/${id}`
    if (ends === 'passed') return untilFinal(this.#tenant, path)
    const until = <Found>(look: () => Promise<Found | null>, what: string) => {
      const otherwise = () => new Error(`${path} ${what}`)
      return untilFound(look, { limitMs: DECIDED_LIMIT_MS, everyMs: LOOK_EVERY_MS, otherwise })
    }
    const failed = async () => (statusOf(await this.#tenant.get(path)) === 'failed' ? true : null)
    if (ends === 'failed') await until(failed, 'did not fail')
    return until(async () => {
      const record = await this.#tenant.get(path)
      if (record['state'] === 'abandoned') return record
      await this.#hasty.post(`${path}/cancel`, {}, `cancel-${id}`).catch(() => undefined)
      return null
    }, 'was not cancelled')
  }
}

const statusOf = ({ biometric }: Json): unknown => (biometric as Json | null)?.['status']
