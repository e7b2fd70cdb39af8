const HOST = 'Host: a\r\n'

/** Bytes that are not a proper request, each in its own way. */
export const corpus: readonly (readonly [string, string])[] = [
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['zero bytes', '\0'.repeat(64)],
  ['an empty line and nothing', '\r\n\r\n\r\n'],
  ['a request line alone', 'GET /things/a\r\n\r\n'],
  ['an unknown version', `GET /things/a HTTP/9.9\r\n${HOST}\r\n`],
  ['a version in lower case', `GET /things/a http/1.1\r\n${HOST}\r\n`],
  ['a tab in the request line', `GET\t/things/a HTTP/1.1\r\n${HOST}\r\n`],
  ['line feeds alone', 'GET /things/a HTTP/1.1\nHost: a\n\n'],
  ['carriage returns alone', 'GET /things/a HTTP/1.1\rHost: a\r\r'],
  ['a space before a colon', `GET /things/a HTTP/1.1\r\n${HOST}Content-Length : 3\r\n\r\nabc`],
  ['a header without a colon', `GET /things/a HTTP/1.1\r\n${HOST}Broken\r\n\r\n`],
  ['a folded header', `GET /things/a HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`],
  ['a zero byte in a header', `GET /things/a HTTP/1.1\r\n${HOST}X-A: b\0c\r\n\r\n`],
  ['a zero byte in the path', `GET /things/a\0b HTTP/1.1\r\n${HOST}\r\n`],
  ['a header that is too long', `GET /things/a HTTP/1.1\r\n${HOST}X-A: ${'b'.repeat(70_000)}\r\n\r\n`],
  ['too many headers', `GET /things/a HTTP/1.1\r\n${HOST}${'X-A: b\r\n'.repeat(5_000)}\r\n`],
  ['a path that is too long', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ['a path without a slash', `GET things/a HTTP/1.1\r\n${HOST}\r\n`],
  ['an asterisk where no OPTIONS is', `GET * HTTP/1.1\r\n${HOST}\r\n`],
  ['a proxy request', `GET http://b/things/a HTTP/1.1\r\n${HOST}\r\n`],
  ['a tunnel request', `CONNECT b:443 HTTP/1.1\r\n${HOST}\r\n`],
  ['a negative length', `POST /echo HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
  ['a length in hex', `POST /echo HTTP/1.1\r\n${HOST}Content-Length: 0x2\r\n\r\n{}`],
  [
    'a length beyond any number',
    `POST /echo HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999999\r\n\r\n{}`,
  ],
  [
    'a chunk size that is no number',
    `POST /echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'a chunk size with a sign',
    `POST /echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'a chunk size beyond any number',
    `POST /echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n`,
  ],
  [
    'a chunk longer than it says',
    `POST /echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
  ],
]
