import type { Config } from '../config/config.ts'
import { clientAddressBehind } from '../http/server/client-address.ts'
import { socketDefaults, socketPlaces } from '../http/server/sockets/settings.ts'
import type { SocketsOptions } from '../http/server/sockets/sockets-options.ts'
import type { SocketDoor } from '../ports/sockets.ts'
import type { Log } from '../telemetry/logger.ts'

/** The sockets of the public port. */
export const socketsOf = ({ http }: Pick<Config, 'http'>, door: SocketDoor, log: Log): SocketsOptions => {
  const { socketsMax, socketsOfNetworkMax } = http
  return {
    door,
    clientAddress: clientAddressBehind(http.trustedProxies),
    settings: { ...socketDefaults, ...socketPlaces(socketsMax, socketsOfNetworkMax) },
    failed: (error) => log('socket.failed', { error }),
  }
}
