import {
  CompareFacesCommand,
  type CompareFacesCommandOutput,
  CreateFaceLivenessSessionCommand,
  GetFaceLivenessSessionResultsCommand,
  type GetFaceLivenessSessionResultsCommandOutput,
  RekognitionClient,
} from '@aws-sdk/client-rekognition'
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts'
import { LRUCache } from 'lru-cache'
import type { Outbound } from '../../egress/outbound.ts'
import { away } from '../outcomes.ts'
import type { AwsAccount } from './aws-account.ts'
import { type AwsAction, type AwsFailure, awsFailureOf, isSkewed } from './aws-refusals.ts'
import { devicePolicy } from './device-policy.ts'
import { EgressHandler } from './egress-handler.ts'

/** Where AWS is, unless a test has it elsewhere. */
export type AwsEndpoints = { readonly rekognition: string; readonly sts: string }

export const endpointsOf = ({ region }: AwsAccount): AwsEndpoints => ({
  rekognition: `https://rekognition.${region}.${domainOf(region)}`,
  sts: `https://sts.${region}.${domainOf(region)}`,
})

const domainOf = (region: string): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com')

export type Lent = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
  readonly expiresAt: string
}

/** The least that AWS lends; a session lives for three minutes of it. */
const LENT_SECONDS = 900
const TIMEOUT_MS = 6_000
/** Two images go up. */
const COMPARE_TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 65_536
/** The picture of a session has 204,800 bytes at most; a hundred faces and what is said of them have less. */
const LONG_ANSWER_BYTES_MAX = 524_288

type Options = {
  readonly outbound: Pick<Outbound, 'call'>
  readonly endpoints: (account: AwsAccount) => AwsEndpoints
}
type Sent = { readonly account: AwsAccount; readonly signal: AbortSignal }
type Clients = { readonly rekognition: RekognitionClient; readonly sts: STSClient }

/** To make a client costs as much as several calls. One that is not used for a while goes, with the keys in it. */
const CLIENTS_MAX = 200
const CLIENTS_KEPT_MS = 600_000

/** The four operations by AWS's own client, each sent once, and once more where the clocks were too far apart. */
export class AwsCalls {
  readonly #options: Options
  readonly #clients = new LRUCache<string, Clients>({
    max: CLIENTS_MAX,
    ttl: CLIENTS_KEPT_MS,
    ttlAutopurge: true,
  })

  constructor(options: Options) {
    this.#options = options
  }

  /** The same token gets the same session, however old it is. */
  async createSession(token: string | null, sent: Sent): Promise<string | AwsFailure> {
    const action = 'rekognition:CreateFaceLivenessSession'
    const { rekognition } = this.#clientsOf(sent.account)
    const command = new CreateFaceLivenessSessionCommand({
      ...(token !== null && { ClientRequestToken: token }),
      Settings: { AuditImagesLimit: 0 },
    })
    const answer = await settled(() => rekognition.send(command, within(TIMEOUT_MS, sent)), {
      ...sent,
      action,
    })
    if ('obstacle' in answer) return answer
    const { SessionId: id } = answer
    return typeof id === 'string' && /^[\w-]{1,128}$/.test(id) ? id : unreadable()
  }

  async results(
    sessionId: string,
    sent: Sent,
  ): Promise<GetFaceLivenessSessionResultsCommandOutput | AwsFailure> {
    const action = 'rekognition:GetFaceLivenessSessionResults'
    const { rekognition } = this.#clientsOf(sent.account)
    const command = new GetFaceLivenessSessionResultsCommand({ SessionId: sessionId })
    return settled(() => rekognition.send(command, within(TIMEOUT_MS, sent)), { ...sent, action })
  }

  /** The largest face of the source with every face of the target; none is left out for being unlike. */
  async compare(
    { source, target }: { readonly source: Uint8Array; readonly target: Uint8Array },
    sent: Sent,
  ): Promise<CompareFacesCommandOutput | AwsFailure> {
    const action = 'rekognition:CompareFaces'
    const { rekognition } = this.#clientsOf(sent.account)
    const command = new CompareFacesCommand({
      SourceImage: { Bytes: source },
      TargetImage: { Bytes: target },
      SimilarityThreshold: 0,
      QualityFilter: 'NONE',
    })
    return settled(() => rekognition.send(command, within(COMPARE_TIMEOUT_MS, sent)), { ...sent, action })
  }

  /** Credentials for a device, which can do no more than run a session. */
  async lend(sent: Sent): Promise<Lent | AwsFailure> {
    const { sts } = this.#clientsOf(sent.account)
    const command = new AssumeRoleCommand({
      RoleArn: sent.account.deviceRoleArn,
      RoleSessionName: 'vouchsafe',
      DurationSeconds: LENT_SECONDS,
      Policy: JSON.stringify(devicePolicy),
    })
    const asked = { ...sent, action: 'sts:AssumeRole' } as const
    const answer = await settled(() => sts.send(command, within(TIMEOUT_MS, sent)), asked)
    if ('obstacle' in answer) return answer
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer.Credentials ?? {}
    const isWhole = AccessKeyId && SecretAccessKey && SessionToken && isTime(Expiration)
    if (!isWhole) return unreadable()
    return {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
      expiresAt: Expiration.toISOString(),
    }
  }

  #clientsOf(account: AwsAccount): Clients {
    const { rekognition, sts } = this.#options.endpoints(account)
    const name = JSON.stringify([account, rekognition, sts])
    const known = this.#clients.get(name)
    if (known !== undefined) return known
    const clients = {
      rekognition: new RekognitionClient(this.#config(account, rekognition, LONG_ANSWER_BYTES_MAX)),
      sts: new STSClient(this.#config(account, sts, ANSWER_BYTES_MAX)),
    }
    this.#clients.set(name, clients)
    return clients
  }

  /** Whole, so that neither the environment nor the files of this machine decide anything. */
  #config({ region, accessKeyId, secretAccessKey }: AwsAccount, endpoint: string, answerBytesMax: number) {
    return {
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      requestHandler: new EgressHandler(this.#options.outbound, answerBytesMax),
      maxAttempts: 1,
      retryMode: 'standard',
      defaultsMode: 'standard' as const,
      authSchemePreference: [],
      userAgentAppId: 'vouchsafe',
      useDualstackEndpoint: false,
      useFipsEndpoint: false,
      disableClockSkewCorrection: false,
    }
  }
}

const within = (requestTimeout: number, { signal: abortSignal }: Sent) => ({ requestTimeout, abortSignal })

type Asked = Sent & { readonly action: AwsAction }

/** The client learns the vendor's time from the refusal, so that the second try is signed for the right moment. */
async function settled<Answer extends object>(
  send: () => Promise<Answer>,
  { action, account, signal }: Asked,
): Promise<Answer | AwsFailure> {
  try {
    return await send().catch((error: unknown) => {
      if (isSkewed(error)) return send()
      throw error
    })
  } catch (error) {
    signal.throwIfAborted()
    return awsFailureOf(error, action, account)
  }
}

const unreadable = (): AwsFailure => ({ code: null, obstacle: away('unreadable') })

const isTime = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())
