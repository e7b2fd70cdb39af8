/** What the Authorization header of Signature Version 4 says. */
export type Authorization = {
  readonly accessKeyId: string
  /** YYYYMMDD. */
  readonly date: string
  readonly region: string
  readonly service: string
  /** In the order of the header. */
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

export const ALGORITHM = 'AWS4-HMAC-SHA256'

const CREDENTIAL = /^([A-Z0-9]{16,128})\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request$/

/** A text instead says what the header lacks. */
export const readAuthorization = (header: string): Authorization | string => {
  if (!header.startsWith(`${ALGORITHM} `)) return `Authorization header requires the algorithm ${ALGORITHM}.`
  const parts = header.slice(ALGORITHM.length + 1).split(',')
  const named = new Map(parts.map((part) => partOf(part.trim())))
  for (const name of ['Credential', 'SignedHeaders', 'Signature'])
    if (!named.get(name)) return `Authorization header requires '${name}' parameter. Authorization=${header}`
  if (named.size !== 3 || parts.length !== 3) return 'Authorization header has a parameter too many.'
  const credential = CREDENTIAL.exec(named.get('Credential') ?? '')
  if (credential === null)
    return 'Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term'
  const [, accessKeyId = '', date = '', region = '', service = ''] = credential
  const signature = named.get('Signature') ?? ''
  if (!/^[0-9a-f]{64}$/.test(signature)) return 'Signature must be 64 hexadecimal digits in lower case.'
  return {
    accessKeyId,
    date,
    region,
    service,
    signedHeaders: (named.get('SignedHeaders') ?? '').split(';'),
    signature,
  }
}

function partOf(part: string): readonly [string, string] {
  const equals = part.indexOf('=')
  return [part.slice(0, equals), part.slice(equals + 1)]
}
