import { walletFlaw } from '../../egress/target.ts'
import type { WalletService } from '../../ports/wallets.ts'
import type { InboundPorts } from '../kind-ports.ts'

/** Why a wallet is never written to; null where it might be. Behind our own mediator nothing is written to an address. */
export const addressFlaw = (
  ports: Pick<InboundPorts, 'allowPrivateTargets' | 'targetPorts' | 'mediator'>,
  service: WalletService,
): string | null => (ports.mediator.keepsFor(service) ? null : walletFlaw(service.endpoint, ports))
