import type { ModuleProcess } from '../../tools/harness/module-process.ts'
import { startProcess } from '../../tools/harness/module-process.ts'
import { inviteInstallation } from '../load/installations.ts'
import type { ExchangeStage } from './exchange-stage.ts'

type SdkHolder = typeof import('../load/sdk-holder.ts')
type CredoHolder = typeof import('../baselines/credo-askar-holder.ts')
type Either = Pick<SdkHolder, 'connect' | 'receive' | 'prove'>
type Open = <Resource extends AsyncDisposable>(resource: Promise<Resource>) => Promise<Resource>

/** One holder with the SDK and one with a plain Credo agent, each in a process of its own, connected with the organisation. */
export const openHolders = async (
  open: Open,
  stage: ExchangeStage,
): Promise<{ readonly sdk: Holder; readonly credo: Holder }> => {
  const sdk = await open(startProcess<SdkHolder>(new URL('../load/sdk-holder.ts', import.meta.url)))
  await sdk.call('start', stage.backend)
  const credo = await open(
    startProcess<CredoHolder>(new URL('../baselines/credo-askar-holder.ts', import.meta.url)),
  )
  await credo.call('start', await inviteInstallation(stage.backend), stage.ledger)
  return {
    sdk: await Holder.of(stage, sdk),
    credo: await Holder.of(stage, credo),
  }
}

class Holder {
  readonly #stage: ExchangeStage
  readonly #process: ModuleProcess<Either>
  readonly #connectionId: string

  private constructor(stage: ExchangeStage, process: ModuleProcess<Either>, connectionId: string) {
    this.#stage = stage
    this.#process = process
    this.#connectionId = connectionId
  }

  static async of(stage: ExchangeStage, holder: ModuleProcess<Either>): Promise<Holder> {
    const { tenant } = stage.parts
    const invited = (await tenant.call('invite', 1, 1)).value
    await holder.call('connect', invited[0]?.url ?? '')
    const ids = invited.map(({ externalId }) => externalId)
    const [connectionId] = (await tenant.call('connected', ids)).value
    if (connectionId === undefined) throw new Error('the holder is not connected')
    return new Holder(stage, holder, connectionId)
  }

  /** So many credentials and then so many proofs, by what the process of the holder spends on each. */
  async measured(count: number) {
    const connections = Array.from({ length: count }, () => this.#connectionId)
    const [received] = await Promise.all([
      this.#process.call('receive', count),
      this.#stage.issue(connections),
    ])
    const [proved] = await Promise.all([this.#process.call('prove', count), this.#stage.verify(connections)])
    return {
      credential_cpu_ms: received.cpuMs / count,
      proof_cpu_ms: proved.cpuMs / count,
      cpu_ms: (received.cpuMs + proved.cpuMs) / count,
    }
  }
}
