import { describe, expect, it } from 'vitest'
import { isNavigation } from '../../../src/actors/invitation/navigation.ts'
import { requestHead } from '../../http/parts/request-head.ts'

type Client = readonly [name: string, headers: Readonly<Record<string, string>>]

const accept = (text: string) => ({ accept: text })
const navigating = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

/** As they are sent when a link is opened. */
const browsers: readonly Client[] = [
  [
    'Chrome and Edge 131',
    {
      ...navigating,
      accept:
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    },
  ],
  [
    'Firefox 133',
    { ...navigating, accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  ],
  ['Safari 18', { ...navigating, accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }],
  [
    'Chrome over plain http, which does not say that it navigates',
    accept(
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    ),
  ],
  ['Safari 15', accept('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')],
  ['Edge 18', accept('text/html, application/xhtml+xml, application/xml; q=0.9, */*; q=0.8')],
  [
    'a page inside of an app, on Android',
    accept(
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.9',
    ),
  ],
  ['Lynx', accept('text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01')],
]

/** As they are sent by what wallets are made of, unless the wallet says otherwise. */
const clients: readonly Client[] = [
  ['Credo on Node: fetch of undici', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
  ['Credo on Node: node-fetch', accept('*/*')],
  ['Credo on a phone: React Native on Android (OkHttp)', {}],
  ['Credo on a phone: React Native on iOS (NSURLSession)', accept('*/*')],
  ['a wallet in a browser: fetch', { accept: '*/*', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  ['axios', accept('application/json, text/plain, */*')],
  ['ACA-Py: aiohttp', accept('*/*')],
  ['Python: requests, httpx', accept('*/*')],
  ['Python: urllib', {}],
  ['Java: HttpURLConnection', accept('text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2')],
  ['Java since 20: HttpURLConnection', accept('text/html, image/gif, image/jpeg, */*; q=0.2')],
  ['Java: HttpClient; OkHttp; Apache HttpClient', {}],
  ['Kotlin: Ktor', accept('*/*')],
  ['Dart: dart:io, http, dio', {}],
  ['Swift: URLSession, Alamofire', accept('*/*')],
  ['Go: net/http', {}],
  ['.NET: HttpClient', {}],
  ['Rust: reqwest', accept('*/*')],
  ['curl', accept('*/*')],
  ['one that wants JSON', accept('application/json')],
  ['one that takes HTML as well', accept('application/json, text/html;q=0.5')],
  ['one that takes HTML alone', accept('text/html')],
  ['one that takes XHTML before HTML', accept('application/xhtml+xml, text/html')],
]

describe('who opens an address', () => {
  it.each(browsers)('is a person in a browser: %s', (_, headers) => {
    expect(isNavigation(requestHead(headers))).toBe(true)
  })

  it.each(clients)('is a program: %s', (_, headers) => {
    expect(isNavigation(requestHead(headers))).toBe(false)
  })
})
