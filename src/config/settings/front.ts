import { choice, file, flag, integer, networks, text, url } from '../setting.ts'

export const http = {
  host: text('VOUCHSAFE_HOST', {
    default: '127.0.0.1',
    doc: 'Address the public API listens on; 0.0.0.0 for every interface.',
  }),
  port: integer('PORT', {
    default: 8080,
    min: 0,
    max: 65_535,
    doc: 'Port of the public API; 0 lets the system choose a free one.',
  }),
  publicUrl: url('VOUCHSAFE_PUBLIC_URL', {
    default: '',
    doc: 'Address under which callers and wallets reach the service, as written into invitations; empty: built from host and port.',
  }),
  trustedProxies: networks('VOUCHSAFE_TRUSTED_PROXIES', {
    default: [],
    doc: 'Addresses and networks (10.0.0.0/8) of the proxies in front: what they write into X-Forwarded-For is where a sign-in comes from. Empty: nobody is believed.',
  }),
  engine: choice('VOUCHSAFE_HTTP_ENGINE', {
    choices: ['uws', 'node'],
    default: 'uws',
    doc: 'HTTP server: uWebSockets.js, or the one built into Node. Where uWebSockets.js has no binary, node is taken and logged.',
  }),
  tlsCertFile: file('VOUCHSAFE_TLS_CERT_FILE', {
    default: '',
    mustExist: true,
    doc: 'PEM file with the certificate chain; with a key file the public API speaks TLS itself.',
  }),
  tlsKeyFile: file('VOUCHSAFE_TLS_KEY_FILE', {
    default: '',
    mustExist: true,
    doc: 'PEM file with the private key of the certificate.',
  }),
  requestsInFlightMax: integer('VOUCHSAFE_REQUESTS_IN_FLIGHT_MAX', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    doc: 'Requests under way at once, from the end of their body; more are answered with 503 overloaded, but for GET /v1/health.',
  }),
  bodyMemoryBytesMax: integer('VOUCHSAFE_BODY_MEMORY_BYTES_MAX', {
    default: 268_435_456,
    min: 16_777_216,
    max: 17_179_869_184,
    doc: 'Memory for request bodies that are still on their way, over all connections; more are answered with 503 overloaded. Callers who need no credential, wallets among them, get half of it at most.',
  }),
}

export const rates = {
  apiKeyRequestsPerMinute: integer('VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE', {
    default: 300,
    min: 1,
    max: 1_000_000,
    doc: 'Requests one API key may make in any 60 s, unless the organisation was given more.',
  }),
  walletTokenRequestsPerMinute: integer('VOUCHSAFE_WALLET_TOKEN_REQUESTS_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 1_000_000,
    doc: 'Requests one wallet token may make in any 60 s.',
  }),
}

export const operations = {
  privateHost: text('VOUCHSAFE_PRIVATE_HOST', {
    default: '127.0.0.1',
    doc: 'Address for metrics and live/ready; never a public one.',
  }),
  privatePort: integer('VOUCHSAFE_PRIVATE_PORT', {
    default: 9464,
    min: 0,
    max: 65_535,
    doc: 'Port for GET /metrics, /live and /ready; 0 lets the system choose a free one.',
  }),
  logLevel: choice('VOUCHSAFE_LOG_LEVEL', {
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    doc: 'Least level that is logged.',
  }),
  accessLog: flag('VOUCHSAFE_ACCESS_LOG', {
    default: true,
    doc: 'One log line per HTTP request.',
  }),
  probeIntervalMs: integer('VOUCHSAFE_PROBE_INTERVAL_MS', {
    default: 1_000,
    min: 50,
    max: 60_000,
    doc: 'Pause between two background probes of the parts; GET /v1/health and /ready answer from the last one.',
  }),
  probeTimeoutMs: integer('VOUCHSAFE_PROBE_TIMEOUT_MS', {
    default: 2_000,
    min: 50,
    max: 60_000,
    doc: 'A part whose probe takes longer counts as down.',
  }),
  shutdownDelayMs: integer('VOUCHSAFE_SHUTDOWN_DELAY_MS', {
    default: 0,
    min: 0,
    max: 120_000,
    doc: 'After SIGTERM, how long requests are still accepted while /ready is off, so that a load balancer can turn away.',
  }),
  drainTimeoutMs: integer('VOUCHSAFE_DRAIN_TIMEOUT_MS', {
    default: 15_000,
    min: 100,
    max: 300_000,
    doc: 'Limit for the whole shutdown after the delay; what has not finished by then is cut off and the exit code is 1.',
  }),
}
