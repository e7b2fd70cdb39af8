/** Bytes that are not a proper request, each in its own way: a table of families, each with its members. */
type Case = readonly [name: string, bytes: string]
type Family = { readonly name: string; readonly cases: readonly Case[] }

const HOST = 'Host: a\r\n'
const LINE = 'GET /things/a HTTP/1.1\r\n'
const shown = (text: string): string =>
  text.replaceAll(/[^!-~ ]/g, (character) => `x${character.charCodeAt(0).toString(16)}`)
const code = (number: number): string => String.fromCharCode(number)
const each = (name: string, values: readonly string[], make: (value: string) => string): Family => ({
  name,
  cases: values.map((value) => [`${name}: ${shown(value).slice(0, 40)}`, make(value)]),
})
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** All control characters but the tab, which headers may hold, and the ends of lines, which have families of their own. */
const CONTROLS = [...range(0, 8), 11, 12, ...range(14, 31), 127].map(code)
const SEPARATORS = [
  '(',
  ')',
  '<',
  '>',
  '@',
  ',',
  ';',
  '\\',
  '"',
  '/',
  '[',
  ']',
  '?',
  '=',
  '{',
  '}',
  ' ',
  '\t',
]

const get = (headers: string): string => `${LINE}${HOST}${headers}\r\n`
const post = (headers: string, body = '{}'): string =>
  `POST /echo HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`
const chunked = (chunks: string): string => post('Transfer-Encoding: chunked\r\n', chunks)

const greetings: Family = {
  name: 'another protocol',
  cases: [
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an SSH greeting', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['an SMTP greeting', 'EHLO example.org\r\nMAIL FROM:<a@example.org>\r\n'],
    ['a SOCKS greeting', '\x05\x02\x00\x02'],
    ['a Redis command', '*1\r\n$4\r\nPING\r\n'],
    ['a PROXY line', `PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n${get('')}`],
    ['zero bytes', '\0'.repeat(64)],
    ['high bytes', '\xff'.repeat(64)],
    ['an empty line and nothing', '\r\n\r\n\r\n'],
    ['a colon alone', ':\r\n\r\n'],
    ['a header before the request line', `${HOST}${LINE}\r\n`],
  ],
}

const lines: Family = {
  name: 'ends of lines',
  cases: [
    ['line feeds alone', 'GET /things/a HTTP/1.1\nHost: a\n\n'],
    ['carriage returns alone', 'GET /things/a HTTP/1.1\rHost: a\r\r'],
    ['a line feed alone after the request line', `GET /things/a HTTP/1.1\n${HOST}\r\n`],
    ['a line feed alone after a header', `${LINE}Host: a\nX-A: b\r\n\r\n`],
    ['a carriage return alone in a value', get('X-A: b\rc\r\n')],
    ['a line feed alone in a value', get('X-A: b\nContent-Length: 5\r\n')],
    ['a carriage return too many', get('X-A: b\r\r\n')],
    ['a folded header', get('X-A: b\r\n c\r\n')],
    ['a header folded with a tab', get('X-A: b\r\n\tc\r\n')],
    ['a folded length', post('Content-Length:\r\n 2\r\n')],
    ['a folded coding', post('Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n')],
    ['a folded first header', `${LINE} X: y\r\n${HOST}\r\n`],
    ['no end', `${LINE}${HOST}`],
  ],
}

const requestLines = each(
  'request line',
  [
    'GET /things/a',
    'GET /things/a ',
    'GET',
    'GET  HTTP/1.1',
    ' GET /things/a HTTP/1.1',
    'GET\t/things/a HTTP/1.1',
    'GET /things/a\tHTTP/1.1',
    'GET /things/a HTTP/1.1 x',
    'GET /things /a HTTP/1.1',
    'GET /things/a HTTP/9.9',
    'GET /things/a HTTP/0.9',
    'GET /things/a HTTP/1',
    'GET /things/a HTTP/1.',
    'GET /things/a HTTP/11',
    'GET /things/a HTTP/2.0',
    'GET /things/a http/1.1',
    'GET /things/a HTTPS/1.1',
    'GET /things/a ICY/1.1',
    'GET things/a HTTP/1.1',
    'GET * HTTP/1.1',
    'GET http://b/things/a HTTP/1.1',
    'GET //b/things/a HTTP/1.1',
    'GET \\things\\a HTTP/1.1',
    'GET ../things/a HTTP/1.1',
    'GET /things/../etc/passwd HTTP/1.1',
    'GET /things/%zz HTTP/1.1',
    'GET /things/% HTTP/1.1',
    'GET /things/%c3%28 HTTP/1.1',
    'GET /things/%ff HTTP/1.1',
    'CONNECT b:443 HTTP/1.1',
    'get /things/a HTTP/1.1',
    'G@T /things/a HTTP/1.1',
    'G(T) /things/a HTTP/1.1',
    'BREWTHEWHOLEPOTOFCOFFEE /things/a HTTP/1.1',
    `${'G'.repeat(5_000)} /things/a HTTP/1.1`,
    `GET /${'a'.repeat(70_000)} HTTP/1.1`,
  ],
  (line) => `${line}\r\n${HOST}\r\n`,
)

const lengths = each(
  'length',
  [
    '-1',
    '-0',
    '+2',
    ' ',
    '',
    '0x2',
    '2.0',
    '2e0',
    '2,2',
    '2, 2',
    '2 2',
    '2;',
    '"2"',
    'two',
    '٢',
    '1_0',
    '0b10',
    '0o2',
    'NaN',
    'Infinity',
    '9'.repeat(16),
    '9'.repeat(23),
    '18446744073709551618',
    '99999999999999999999999999999999999999',
    '\x002',
    '2\x00',
    '2\x0b',
  ],
  (length) => post(`Content-Length: ${length}\r\n`, ''),
) // prettier-ignore

const framings = each(
  'framing',
  [
    'Content-Length: 2\r\nContent-Length: 2',
    'Content-Length: 2\r\nContent-Length: 3',
    'Content-Length: 2\r\ncontent-length: 0',
    'Content-Length: 2\r\nContent-Length: ',
    'Content-Length: 2\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 2',
    'Content-Length: 2\r\nTransfer-Encoding: identity',
    'Content-Length: 2\r\nTransfer-Encoding: ',
    'Content-Length : 2',
    'Content-Length\t: 2',
    ' Content-Length: 2',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunkedx',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding: chunked,',
    'Transfer-Encoding: ,chunked',
    'Transfer-Encoding: "chunked"',
    'Transfer-Encoding: chunked; q=1',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Transfer-Encoding: \x0bchunked',
    'Transfer-Encoding: chunked\x00',
    'Transfer-Encoding:\x01chunked',
    'Host: b',
    'Host: a',
    'Content-Type: text/plain',
    'Authorization: Bearer a\r\nAuthorization: Bearer b',
    'Idempotency-Key: a\r\nIdempotency-Key: b',
    'Content-Encoding: gzip\r\nContent-Encoding: gzip',
  ],
  (headers) => post(`${headers}\r\n${/length|transfer/i.test(headers) ? '' : 'Content-Length: 2\r\n'}`),
)

const chunks = each(
  'chunks',
  [
    'zz\r\n{}\r\n0\r\n\r\n',
    '-2\r\n{}\r\n0\r\n\r\n',
    '+2\r\n{}\r\n0\r\n\r\n',
    '0x2\r\n{}\r\n0\r\n\r\n',
    ' 2\r\n{}\r\n0\r\n\r\n',
    '2\r{}\r0\r\r',
    '\r\n{}\r\n0\r\n\r\n',
    ';x=y\r\n{}\r\n0\r\n\r\n',
    '1\r\n{}\r\n0\r\n\r\n',
    'ffffffffffffffff\r\n{}\r\n',
    'ffffffffffffffffff\r\n{}\r\n',
    '10000000000000002\r\n{}\r\n0\r\n\r\n',
    `2;${'x'.repeat(70_000)}\r\n{}\r\n0\r\n\r\n`,
    '{}',
    '2\r\n{',
    '2\r\n{}\r\n',
  ],
  chunked,
)

/** A lenient reader makes a body of these; whoever does must not read on after it. */
export const looseChunks: readonly Case[] = [
  ['line feeds alone', chunked('2\n{}\n0\n\n')],
  ['no end of line after the data', chunked('2\r\n{}0\r\n\r\n')],
  ['other bytes instead of an end of line', chunked('2\r\n{}xx0\r\n\r\n')],
  ['a line feed after the data', chunked('2\r\n{}\n0\r\n\r\n')],
  ['a zero byte after the size', chunked('2\x00\r\n{}\r\n0\r\n\r\n')],
  ['a single end of line at the end', chunked('2\r\n{}\r\n0\r\n')],
  ['an extension with a line feed', chunked('2;\n{}\r\n0\r\n\r\n')],
  ['a trailer', chunked('2\r\n{}\r\n0\r\nContent-Length: 50\r\n\r\n')],
]

const headers = each(
  'header',
  [
    'Broken',
    'Broken\r\nX-A: b',
    '\x00',
    'X-A b: c',
    `X-A: ${'b'.repeat(70_000)}`,
    `${'X'.repeat(70_000)}: b`,
    'X-A: b\r\n'.repeat(5_000).trimEnd(),
  ],
  (header) => get(`${header}\r\nContent-Length: abc\r\n`),
) // prettier-ignore

const hosts: Family = {
  name: 'host',
  cases: [
    ['no host', `${LINE}\r\n`],
    ['an empty host', `${LINE}Host:\r\n\r\n`],
    ['a host of spaces', `${LINE}Host:   \r\n\r\n`],
    ['a host without a colon', `${LINE}Host a\r\n\r\n`],
    ['two hosts in different spelling', `${LINE}Host: a\r\nHOST: b\r\n\r\n`],
  ],
}

export const families: readonly Family[] = [
  greetings,
  lines,
  requestLines,
  lengths,
  framings,
  chunks,
  headers,
  hosts,
  each('control character in a name', CONTROLS, (it) => get(`X-${it}A: b\r\n`)),
  // Delete is let through by both parsers and harms nobody.
  each('control character in a value', CONTROLS.slice(0, -1), (it) => get(`X-A: b${it}c\r\n`)),
  each(
    'control character in the path',
    CONTROLS.slice(0, -1),
    (it) => `GET /things/a${it}b HTTP/1.1\r\n${HOST}\r\n`,
  ),
  each('separator in a name', SEPARATORS, (it) => get(`X${it}A: b\r\n`)),
]
