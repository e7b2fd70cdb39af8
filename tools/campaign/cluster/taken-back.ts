import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { connectHolder, untilFinal } from '../../flows/flow.ts'
import type { Phone } from '../../flows/phones.ts'
import { openOrganisation, type Published, publishPersons } from '../../flows/publish.ts'
import type { Json, Tenant } from '../../flows/tenant.ts'
import { ordersTo } from '../../harness/orders.ts'
import { type Looked, whatIsWrongWithKey, whatIsWrongWithRecord } from './taken-back-judgement.ts'

export type NodeAddress = { readonly number: number; readonly url: string; readonly dataFolder: string }

/** What names in offers begin with, which nobody may read between the nodes. */
export const NAMES_BEGIN_WITH = 'Canary of a person'

const LIFETIME_SECONDS = 24 * 3_600
const RETRY_MS = 250
const LOOK_MS = 200
/** After what was taken back is known everywhere, it is looked at for a while longer. */
const AFTER_MS = 3_000
const ANSWER_LIMIT_MS = 45_000
/** A cut and everything that is disturbed beside it are over long before. */
const INSIST_LIMIT_MS = 10 * 60_000
const SHOWN_LIMIT_MS = 120_000

/** A key, and a record with a name in it, which every node has just shown. */
type Subject = {
  readonly keyId: string
  readonly key: string
  readonly path: string
  readonly name: string
  readonly offer: { readonly body: Json; readonly idempotencyKey: string }
}

type UnderWay = {
  readonly answered: Promise<unknown>
  readonly over: AbortController
  readonly looks: Promise<unknown>
}

/**
 * An organisation that takes back a key and a record while nodes are cut off from each other: through one node, and from
 * the answer on it looks at all of them, none of which may show either.
 */
export class TakenBack {
  readonly #tenant: Tenant
  readonly #definitionId: string
  readonly #connectionId: string
  readonly #nodes: readonly NodeAddress[]
  readonly problems: string[] = []
  readonly counts = { takenBack: 0, looks: 0, unavailable: 0, unanswered: 0 }
  /** Credentials that were acknowledged. */
  offers = 0
  #subject: Promise<Subject> | null = null
  #underWay: UnderWay | null = null

  private constructor(
    tenant: Tenant,
    definitionId: string,
    connectionId: string,
    nodes: readonly NodeAddress[],
  ) {
    this.#tenant = tenant
    this.#definitionId = definitionId
    this.#connectionId = connectionId
    this.#nodes = nodes
  }

  /** One of its own, so that what is erased is missing in no other's books; it has one connection and one invitation. */
  static async open(
    tenant: Tenant,
    network: Published['network'],
    phone: Phone,
    nodes: readonly NodeAddress[],
  ): Promise<TakenBack> {
    await openOrganisation(tenant, 'Registry that takes back')
    const definitionId = await publishPersons(tenant)
    const connectionId = await connectHolder({ tenant, network }, 'taken-back', phone)
    return new TakenBack(tenant, definitionId, connectionId, nodes)
  }

  /** Resolves when there is something that can be taken back. */
  async ready(): Promise<void> {
    this.#subject ??= this.#make()
    await this.#subject.catch((error: unknown) => {
      this.#subject = null
      throw error
    })
  }

  async begin(through: number): Promise<void> {
    await this.ready()
    const subject = await this.#subject
    const node = this.#nodes.find(({ number }) => number === through)
    if (subject === null || node === undefined) throw new Error(`there is no node ${through}`)
    this.#subject = null
    const over = new AbortController()
    const revoked = this.#revoke(subject, node)
    const erased = this.#erase(subject, node)
    const looks = [
      this.#lookAtKey(subject, revoked, over.signal),
      this.#lookAtRecord(subject, erased, over.signal),
    ]
    this.#underWay = { answered: Promise.all([revoked, erased]), over, looks: Promise.all(looks) }
  }

  /** The cut is over: what was not answered during it is now. */
  async end(): Promise<void> {
    const underWay = this.#underWay
    if (underWay === null) return
    this.#underWay = null
    try {
      await underWay.answered
      this.counts.takenBack += 1
      await pause(AFTER_MS)
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error))
    }
    underWay.over.abort()
    await underWay.looks
  }

  async #make(): Promise<Subject> {
    const tenant = this.#tenant
    const label = `taken-back-${++this.offers}`
    const name = `${NAMES_BEGIN_WITH} ${randomUUID()}`
    const { id: keyId, key } = await tenant.order('key create', { tenant: tenant.id, label })
    const body = {
      connectionId: this.#connectionId,
      credentialDefinitionId: this.#definitionId,
      externalId: label,
      attributes: { name, age: '36', expiresAt: String(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS) },
    }
    const offer = { body, idempotencyKey: `${label}-offer` }
    const { id } = await tenant.post('/v1/credentials/offer', body, offer.idempotencyKey)
    const path = `/v1/credentials/${String(id)}`
    await untilFinal(tenant, path)
    const subject = { keyId: String(keyId), key: String(key), path, name, offer }
    await Promise.all(this.#nodes.map((node) => this.#untilShown(subject, node)))
    return subject
  }

  async #untilShown({ key, path, name }: Subject, node: NodeAddress): Promise<void> {
    const endMs = performance.now() + SHOWN_LIMIT_MS
    for (;;) {
      const looked = await ask(node, 'GET', path, key)
      if (looked?.status === 200 && looked.text.includes(name)) return
      if (performance.now() > endMs)
        throw new Error(`GET ${path} was answered ${looked?.status} ${looked?.text} before it was erased`)
      await pause(RETRY_MS)
    }
  }

  /** By an operator at that node, again and again until it is answered. */
  #revoke({ keyId }: Subject, { dataFolder }: NodeAddress): Promise<void> {
    const attempt = () =>
      ordersTo(dataFolder)('key revoke', { keyId }).then(
        () => true,
        () => false,
      )
    return insisted(`the revocation of ${keyId}`, attempt)
  }

  #erase({ path }: Subject, node: NodeAddress): Promise<void> {
    const attempt = async () => (await ask(node, 'POST', `${path}/erase`, this.#tenant.key))?.status === 200
    return insisted(`the erasure of ${path}`, attempt)
  }

  async #lookAtKey({ keyId, key }: Subject, revoked: Promise<void>, over: AbortSignal): Promise<void> {
    await this.#lookAtAll(revoked, over, async (node) => {
      const looked = await ask(node, 'GET', '/v1/ledger', key)
      return [looked, whatIsWrongWithKey(looked, `key ${keyId}`)]
    })
  }

  async #lookAtRecord(
    { path, name, offer }: Subject,
    erased: Promise<void>,
    over: AbortSignal,
  ): Promise<void> {
    const { key } = this.#tenant
    await Promise.all([
      this.#lookAtAll(erased, over, async (node) => {
        const looked = await ask(node, 'GET', path, key)
        return [looked, whatIsWrongWithRecord(looked, name, path)]
      }),
      // The same request again is answered as the first time, but for what was erased since.
      this.#lookAtAll(erased, over, async (node) => {
        const looked = await ask(node, 'POST', '/v1/credentials/offer', key, offer)
        return [looked, whatIsWrongWithRecord(looked, name, `the repeated offer of ${path}`)]
      }),
    ])
  }

  /** From the answer on, each node for itself. */
  async #lookAtAll(
    answered: Promise<void>,
    over: AbortSignal,
    look: (node: NodeAddress) => Promise<readonly [Looked, string | null]>,
  ): Promise<void> {
    const isAnswered = await answered.then(
      () => true,
      () => false,
    )
    if (!isAnswered) return
    const lookAt = async (node: NodeAddress): Promise<void> => {
      while (!over.aborted) {
        const [looked, wrong] = await look(node)
        this.counts.looks += 1
        if (looked === null) this.counts.unanswered += 1
        if (looked?.status === 503) this.counts.unavailable += 1
        if (wrong !== null) this.problems.push(`node ${node.number}: ${wrong}`)
        await pause(LOOK_MS, undefined, { signal: over }).catch(() => undefined)
      }
    }
    await Promise.all(this.#nodes.map(lookAt))
  }
}

const insisted = async (what: string, attempt: () => Promise<boolean>): Promise<void> => {
  const endMs = performance.now() + INSIST_LIMIT_MS
  while (!(await attempt())) {
    if (performance.now() > endMs) throw new Error(`${what} is not answered`)
    await pause(RETRY_MS)
  }
}

/** At the node itself, past the proxy; null where no answer comes. */
const ask = async (
  { url }: NodeAddress,
  method: 'GET' | 'POST',
  path: string,
  key: string,
  sent: { readonly body: Json; readonly idempotencyKey: string } | null = null,
): Promise<Looked> => {
  const headers = { Authorization: `Bearer ${key}` }
  const plain: RequestInit = { method, headers, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }
  const request = sent === null ? plain : { ...plain, ...withBody(headers, sent) }
  try {
    const response = await fetch(`${url}${path}`, request)
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}

const withBody = (
  headers: Readonly<Record<string, string>>,
  { body, idempotencyKey }: { readonly body: Json; readonly idempotencyKey: string },
): RequestInit => ({
  headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
  body: JSON.stringify(body),
})
