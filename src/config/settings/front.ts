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
    doc: 'Address under which callers and wallets reach the service; it is written into invitations. Empty: built from host and port.',
  }),
  trustedProxies: networks('VOUCHSAFE_TRUSTED_PROXIES', {
    default: [],
    doc: 'Addresses and networks (10.0.0.0/8) of the proxies in front of the service; only they may say in X-Forwarded-For where a caller without a credential, such as a wallet, comes from. Empty: no X-Forwarded-For is trusted, and behind a proxy all of them come from one address.',
  }),
  engine: choice('VOUCHSAFE_HTTP_ENGINE', {
    choices: ['uws', 'node'],
    default: 'uws',
    doc: 'HTTP server: uWebSockets.js, or the one built into Node. Where uWebSockets.js has no binary, node is used, and the log says so.',
  }),
  tlsCertFile: file('VOUCHSAFE_TLS_CERT_FILE', {
    default: '',
    doc: 'PEM file with the certificate chain; together with a key file it makes the public API speak TLS itself.',
  }),
  tlsKeyFile: file('VOUCHSAFE_TLS_KEY_FILE', {
    default: '',
    doc: 'PEM file with the private key of the certificate.',
  }),
  requestsInFlightMax: integer('VOUCHSAFE_REQUESTS_IN_FLIGHT_MAX', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    doc: 'Most requests that are answered at the same time, counted from the end of their body; more get 503 overloaded, except GET /v1/health.',
  }),
  bodyMemoryBytesMax: integer('VOUCHSAFE_BODY_MEMORY_BYTES_MAX', {
    default: 268_435_456,
    min: 16_777_216,
    max: 17_179_869_184,
    doc: 'Memory for request bodies that are still being received, over all connections; more get 503 overloaded. Callers without a credential, which includes wallets, get at most half of it, and those of one network a 32nd part; one organisation gets an eighth, bodies above 262,144 bytes half, and the last eighth is for bodies up to 65,536 bytes.',
  }),
  socketsMax: integer('VOUCHSAFE_SOCKETS_MAX', {
    default: 20_000,
    min: 1,
    max: 1_000_000,
    doc: 'WebSockets of wallets that are open at the same time, on this node; more get 503 overloaded. A fortieth of them may be ones on which nobody has shown yet who is there. Each takes a file descriptor.',
  }),
  socketsOfNetworkMax: integer('VOUCHSAFE_SOCKETS_OF_NETWORK_MAX', {
    default: 1_000,
    min: 1,
    max: 1_000_000,
    doc: 'Of these, the ones that come from one network address; more get 429 rate_limited. A sixteenth may be ones on which nobody has shown yet who is there. Behind a proxy that is not named in VOUCHSAFE_TRUSTED_PROXIES all come from one.',
  }),
}

export const rates = {
  apiKeyRequestsPerMinute: integer('VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE', {
    default: 300,
    min: 1,
    max: 1_000_000,
    doc: 'Requests that one API key may make in any 60 s, unless its organisation has a higher rate.',
  }),
  walletTokenRequestsPerMinute: integer('VOUCHSAFE_WALLET_TOKEN_REQUESTS_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 1_000_000,
    doc: 'Requests that one wallet token may make in any 60 s.',
  }),
  sessionRequestsPerMinute: integer('VOUCHSAFE_SESSION_REQUESTS_PER_MINUTE', {
    default: 600,
    min: 1,
    max: 1_000_000,
    doc: 'Requests that one session of the console may make in any 60 s.',
  }),
}

export const handshakes = {
  ofNetworkPerMinute: integer('VOUCHSAFE_HANDSHAKES_OF_NETWORK_PER_MINUTE', {
    default: 120,
    min: 1,
    max: 1_000_000,
    doc: 'Wallets that may begin to connect by one invitation from one network (an address of IPv4 or a /64 of IPv6; of its /56 and its /48 together there may be more) in any 60 s, counted by each node; more get 429. By all invitations together they may be four times as many, and while several are used each gets less. An invitation for one holder is not counted.',
  }),
  ofInvitationPerMinute: integer('VOUCHSAFE_HANDSHAKES_OF_INVITATION_PER_MINUTE', {
    default: 600,
    min: 1,
    max: 1_000_000,
    doc: 'Wallets that may begin to connect by one invitation for many in any 60 s, counted by each node; more get 429. One network gets at most a quarter of it (of IPv6 a /64 two ninths, a /56 two sevenths, a /48 two fifths), and less while others use it too.',
  }),
  underWayMax: integer('VOUCHSAFE_HANDSHAKES_UNDER_WAY_MAX', {
    default: 1_000,
    min: 1,
    max: 10_000,
    doc: 'Wallets that may be connecting by one invitation for many at the same time. More get 429, and for each of them (20 a second at most) one that has taken longer than five minutes makes room. One network gets at most a quarter of the places (of IPv6 a /64 two ninths, a /56 two sevenths, a /48 two fifths), and less while others use them too. Where each came from is known to the node that let it in alone.',
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
    doc: 'Lowest level that is logged.',
  }),
  accessLog: flag('VOUCHSAFE_ACCESS_LOG', {
    default: true,
    doc: 'One log line per HTTP request.',
  }),
  probeIntervalMs: integer('VOUCHSAFE_PROBE_INTERVAL_MS', {
    default: 1_000,
    min: 50,
    max: 60_000,
    doc: 'Pause between two background probes of the parts of the service; GET /v1/health and /ready answer with the result of the last one.',
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
    doc: 'How long requests are still accepted after SIGTERM, while /ready is already off, so that a load balancer can send them elsewhere.',
  }),
  drainTimeoutMs: integer('VOUCHSAFE_DRAIN_TIMEOUT_MS', {
    default: 15_000,
    min: 100,
    max: 300_000,
    doc: 'Limit for the whole shutdown after the delay; requests that have not finished by then are cut off, and the exit code is 1.',
  }),
}
