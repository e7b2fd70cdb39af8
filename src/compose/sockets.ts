import { LiveSessions } from '../actors/mailbox/live-sessions.ts'
import type { Config } from '../config/config.ts'
import { clientAddressBehind } from '../http/server/client-address.ts'
import type { SocketsOptions } from '../http/server/sockets/sockets-options.ts'
import { socketDefaults } from '../http/server/sockets/settings.ts'
import type { LargeEnvelopes } from '../http/routes/large-envelopes.ts'
import type { MailboxWatch } from '../ports/mailbox-watch.ts'
import type { Mediator } from '../ports/mediator.ts'
import type { SocketDoor } from '../ports/sockets.ts'
import type { Log } from '../telemetry/logger.ts'
import type { ServiceContext } from './service-context.ts'

type Parts = {
  readonly mediator: Mediator
  readonly mailboxWatch: MailboxWatch
  readonly largeEnvelopes: LargeEnvelopes
}

/** Who talks with wallets on sockets. */
export const composeSessions = (
  { runtime, lifecycle }: ServiceContext,
  { mediator, mailboxWatch, largeEnvelopes }: Parts,
): SocketDoor => {
  const takeLarge: LargeEnvelopes['take'] = (address, from) => largeEnvelopes.take(address, from)
  const sessions = new LiveSessions({ mediator, mailboxWatch, runtime, takeLarge })
  lifecycle.add('live-sessions', async () => sessions.stop())
  return sessions
}

export const socketsOf = ({ http }: Pick<Config, 'http'>, door: SocketDoor, log: Log): SocketsOptions => {
  const { socketsMax, socketsOfNetworkMax } = http
  return {
    door,
    clientAddress: clientAddressBehind(http.trustedProxies),
    settings: { ...socketDefaults, socketsMax, socketsOfNetworkMax },
    failed: (error) => log('socket.failed', { error }),
  }
}
