import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineRoute, type Method, reply, type Route } from '../../../src/http/route/route.ts'
import { createRouter } from '../../../src/http/front-door/router.ts'

const route = (method: Method, path: string): Route =>
  defineRoute({
    method,
    path,
    operationId: 'x',
    summary: 'x',
    access: { callers: ['nobody'] },
    responses: { 200: Type.Object({}) },
    errors: [],
    idempotency: 'ignored',
    handle: () => reply(200, {}),
  })

const routes = [
  route('GET', '/v1/things'),
  route('POST', '/v1/things'),
  route('GET', '/v1/things/{id}'),
  route('GET', '/v1/things/fixed'),
  route('POST', '/v1/things/{id}/erase'),
]
const find = createRouter(routes)

describe('the router', () => {
  it('finds fixed paths and paths with an id', () => {
    expect(find('GET', '/v1/things')).toMatchObject({ is: 'route', route: routes[0], params: {} })
    expect(find('GET', '/v1/things/a-1')).toMatchObject({
      is: 'route',
      route: routes[2],
      params: { id: 'a-1' },
    })
    expect(find('POST', '/v1/things/a/erase')).toMatchObject({
      is: 'route',
      route: routes[4],
      params: { id: 'a' },
    })
  })

  it('prefers a fixed path to an id', () => {
    expect(find('GET', '/v1/things/fixed')).toMatchObject({ route: routes[3] })
  })

  it('decodes an id after it has split the path, so that a coded slash stays in it', () => {
    expect(find('GET', '/v1/things/a%2Fb%20%E2%82%AC')).toMatchObject({ params: { id: 'a/b €' } })
  })

  it.each(['%', '%zz', '%E2%82', '%ff'])('calls the coding %s malformed', (id) => {
    expect(find('GET', `/v1/things/${id}`)).toEqual({ is: 'malformed' })
  })

  it.each([
    '',
    '/v1/things/a/b',
    '/v1//things',
    '/v1/things/a/b/c',
    '/V1/things',
    '*',
    'http://host/v1/things',
  ])('knows nothing at %j', (path) => {
    expect(find('GET', path)).toEqual({ is: 'unknown' })
  })

  it('answers HEAD wherever it answers GET', () => {
    expect(find('HEAD', '/v1/things')).toMatchObject({ is: 'route', route: routes[0] })
    expect(find('HEAD', '/v1/things/a/erase').is).toBe('wrong_method')
  })

  it('names the methods of a path to those that come with another, in their own spelling', () => {
    expect(find('PUT', '/v1/things')).toEqual({ is: 'wrong_method', allow: 'GET, POST, HEAD, OPTIONS' })
    expect(find('get', '/v1/things').is).toBe('wrong_method')
    expect(find('DELETE', '/v1/things/a/erase')).toEqual({ is: 'wrong_method', allow: 'POST, OPTIONS' })
  })

  it('refuses two routes for one method and path', () => {
    expect(() => createRouter([route('GET', '/a'), route('GET', '/a')])).toThrow('two routes for GET /a')
  })

  it('does not take the names of built-in properties for paths', () => {
    expect(find('GET', '__proto__').is).toBe('unknown')
    expect(find('constructor', '/v1/things').is).toBe('wrong_method')
  })
})
