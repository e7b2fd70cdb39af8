import { describe, expect, it } from 'vitest'
import { codes } from '../../../src/domain/codes.ts'
import { problem, problemReply } from '../../../src/http/route/problem.ts'
import { saidBy } from '../../../sdk/core/mail/answers.ts'

const said = (status: number, body = '') => saidBy({ status, body: Buffer.from(body) })

describe('an answer to a message', () => {
  it('takes it when it is empty or an envelope', () => {
    expect([said(202), said(200, '{"protected":"e30","ciphertext":""}')]).toEqual(['taken', 'taken'])
  })

  it.each(['invalid_request', 'not_found', 'payload_too_large', 'unsupported_media_type'] as const)(
    'refuses it as the service does with %s',
    (code) => {
      const { status, body } = problemReply(problem(code, 'It is so.'))
      expect(said(status, String(body))).toBe('refused')
    },
  )

  it.each(Object.entries(codes).filter(([, { retryable }]) => retryable))(
    'says nothing where the service says %s, which passes',
    (code) => {
      const { status, body } = problemReply(problem(code as keyof typeof codes, 'It is so.'))
      expect(said(status, String(body))).toBe('nothing')
    },
  )

  // As gateways, balancers and object stores word it.
  it.each([
    [404, '<html><head><title>404 Not Found</title></head><center>nginx</center></html>'],
    [400, '<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>'],
    [404, '404 page not found\n'],
    [404, '{"message":"no Route matched with those values"}'],
    [404, '{"timestamp":1,"status":404,"error":"Not Found","path":"/didcomm"}'],
    [400, '{"error":"invalid_request","error_description":"The token is missing"}'],
    [404, '{"error":{"code":404,"message":"Not found"}}'],
    [413, '<html><head><title>413 Request Entity Too Large</title></head></html>'],
    [410, ''],
    [404, ''],
    [422, '[]'],
    [415, 'null'],
    [404, '\uFFFD'],
  ])('says nothing when it is not the service: %i %s', (status, body) => {
    expect(said(status, body)).toBe('nothing')
  })

  it('says nothing when it is a page with a status of success, or no text', () => {
    expect([said(200, '<html>Sign in</html>'), said(200, '{"status":"ok"}')]).toEqual(['nothing', 'nothing'])
    expect(saidBy({ status: 404, body: Uint8Array.of(0xff, 0xfe) })).toBe('nothing')
  })
})
