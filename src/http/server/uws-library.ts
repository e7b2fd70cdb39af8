import { limits } from '../../domain/limits.ts'

// The library reads this while it loads; its default is too small for the longest query that the API promises.
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(limits.headBytesMax)

/** The library itself, which must only be loaded here, after the line above. */
export const { App, SSLApp, us_listen_socket_close, us_socket_local_port } = await import('uWebSockets.js')
