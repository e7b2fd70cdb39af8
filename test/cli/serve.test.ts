import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { RawSocket } from '../contract/http/raw-socket.ts'
import { ServiceProcess } from '../service-process.ts'
import { eventually } from '../eventually.ts'

const running = new Set<ServiceProcess>()
const start = (environment: Readonly<Record<string, string>> = {}): ServiceProcess => {
  const service = new ServiceProcess(environment)
  running.add(service)
  return service
}
afterEach(async () => {
  for (const service of running) service.signal('SIGKILL')
  await Promise.all([...running].map((service) => service.finished))
  running.clear()
})

/** A request whose body is not complete yet, which keeps the service busy for as long as the test wants. */
const unfinishedRequest = async (service: ServiceProcess): Promise<RawSocket> => {
  const { url } = await service.untilListening()
  const socket = await RawSocket.open(Number(new URL(url).port))
  socket.send(
    'POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\nab',
  )
  // What came before them has been read when these are answered.
  for (let later = 0; later < 3; later++) expect((await fetch(`${url}/v1/health`)).status).toBe(200)
  return socket
}

describe('the service', () => {
  it('creates its folder at the first start, for its own user only, and is healthy', async () => {
    const service = start()
    const { url, privateUrl } = await service.untilListening()
    expect(await (await fetch(`${url}/v1/health`)).text()).toBe('{"status":"ok"}')
    expect((await fetch(`${privateUrl}/ready`)).status).toBe(200)
    expect(statSync(join(service.folder, 'data')).mode & 0o777).toBe(0o700)
    expect((await service.stop()).code).toBe(0)
  })

  it('finishes what runs when it is told to stop, takes nothing new, and ends with 0', async () => {
    const service = start()
    const { url, privateUrl } = await service.untilListening()
    const socket = await unfinishedRequest(service)
    service.signal('SIGTERM')
    await eventually(async () => expect((await fetch(`${privateUrl}/ready`)).status).toBe(503))
    await eventually(() => expect(RawSocket.open(Number(new URL(url).port))).rejects.toThrow('ECONNREFUSED'))
    socket.send('cd')
    const response = await socket.response()
    expect([response?.status, response?.headers.get('connection')]).toEqual([400, 'close'])
    const { code } = await service.finished
    const told = service.events.filter((event) => !event.startsWith('shard.'))
    expect([code, told.slice(-3)]).toEqual([0, ['service.stopping', 'http.request', 'service.stopped']])
  })

  it('goes on taking requests for the delay that load balancers need', async () => {
    const service = start({ VOUCHSAFE_SHUTDOWN_DELAY_MS: '5000' })
    const { url, privateUrl } = await service.untilListening()
    service.signal('SIGTERM')
    await eventually(async () => expect((await fetch(`${privateUrl}/ready`)).status).toBe(503))
    expect((await fetch(`${url}/v1/health`)).status).toBe(200)
    expect((await service.finished).code).toBe(0)
  })

  it('cuts off what has not finished within the limit, says so, and ends with 1', async () => {
    const service = start({ VOUCHSAFE_DRAIN_TIMEOUT_MS: '200' })
    const socket = await unfinishedRequest(service)
    const { code } = await service.stop()
    expect([code, service.events.at(-1)]).toEqual([1, 'service.stop_timeout'])
    await socket.closed()
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends at once at the second %s', async (name, code) => {
    const service = start()
    const { url } = await service.untilListening()
    await unfinishedRequest(service)
    service.signal(name)
    await eventually(() => expect(RawSocket.open(Number(new URL(url).port))).rejects.toThrow('ECONNREFUSED'))
    const again = setInterval(() => service.signal(name), 50)
    expect((await service.finished).code).toBe(code)
    clearInterval(again)
    // An orderly stop would have waited for the request, and said so.
    expect(service.events).not.toContain('service.stopped')
  })

  it('takes a signal that arrives twice at once for one, and stops in good order', async () => {
    const service = start()
    await service.untilListening()
    service.signal('SIGTERM')
    service.signal('SIGINT')
    const { code } = await service.finished
    expect([code, service.events.at(-1)]).toEqual([0, 'service.stopped'])
  })

  it('refuses nonsense with one line per mistake, ends with 1, and starts nothing', async () => {
    const service = start({
      PORT: 'abc',
      VOUCHSAFE_JURNAL: 'sqlite',
      VOUCHSAFE_VAULT_KEY_FILE: 'missing.key',
    })
    const { code, stdout, stderr } = await service.finished
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.trim().split('\n')).toEqual([
      'VOUCHSAFE_JURNAL is not a known setting; did you mean VOUCHSAFE_JOURNAL?',
      'PORT must be a whole number from 0 to 65535, not "abc"',
      'VOUCHSAFE_VAULT_KEY_FILE names the file missing.key, which does not exist',
    ])
    expect(existsSync(join(service.folder, 'data'))).toBe(false)
  })

  it('says in one line that its port is taken, and leaves nothing running', async () => {
    const other = createServer()
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port))
    })
    const { code, stderr } = await start({ PORT: String(port) }).finished
    expect([code, stderr.trim()]).toEqual([
      1,
      `Vouchsafe could not start: cannot listen on 127.0.0.1:${port}: another program uses the port, or the address is not of this machine`,
    ])
    other.close()
  })
})
