import { limits } from '../../domain/limits.ts'

// Read from the environment while the library loads; its own bound is too small for the longest query that is promised.
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(limits.headBytesMax)

/** The library itself, never to be loaded otherwise than here. */
export const { App, SSLApp, us_listen_socket_close, us_socket_local_port } = await import('uWebSockets.js')
