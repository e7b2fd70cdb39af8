import type { Signing, ToSign } from './sign.ts'

/** Requests of AWS's published "Signature Version 4 test suite", each with the signature that AWS gives for it. */
export const suiteSigning: Signing = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
  time: '20150830T123600Z',
}

const HOST = 'https://example.amazonaws.com'
const TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUu' +
  'wthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVX' +
  'AkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='

type Vector = Omit<ToSign, 'url'> & {
  readonly name: string
  readonly path: string
  readonly token?: string
  readonly signature: string
}

const get = { method: 'GET', path: '/', headers: {}, body: '' }
const post = { ...get, method: 'POST' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

const vectors: readonly Vector[] = [
  {
    ...get,
    name: 'get-vanilla',
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  {
    ...get,
    name: 'get-header-key-duplicate',
    headers: { 'My-Header1': ['value2', 'value2', 'value1'] },
    signature: 'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  },
  {
    ...get,
    name: 'get-header-value-order',
    headers: { 'My-Header1': ['value4', 'value1', 'value3', 'value2'] },
    signature: '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  },
  {
    ...get,
    name: 'get-header-value-trim',
    headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' },
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  {
    ...get,
    name: 'get-unreserved',
    path: '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  },
  {
    ...get,
    name: 'get-vanilla-query-order-key',
    path: '/?Param1=value2&Param1=Value1',
    signature: 'eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1',
  },
  {
    ...get,
    name: 'get-vanilla-query-order-key-case',
    path: '/?Param2=value2&Param1=value1',
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  {
    ...get,
    name: 'get-vanilla-query-order-value',
    path: '/?Param1=value2&Param1=value1',
    signature: '5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694',
  },
  {
    ...post,
    name: 'post-vanilla',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    ...post,
    name: 'post-x-www-form-urlencoded',
    headers: form,
    body: 'Param1=value1',
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
  {
    ...post,
    name: 'post-sts-header-before',
    token: TOKEN,
    signature: '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  },
]

export const testSuite = vectors.map(({ name, path, token, signature, ...request }) => ({
  name,
  request: { ...request, url: `${HOST}${path}` } satisfies ToSign,
  signing: { ...suiteSigning, ...(token !== undefined && { sessionToken: token }) } satisfies Signing,
  signature,
}))
