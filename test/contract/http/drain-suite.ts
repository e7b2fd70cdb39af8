import { describe, expect, it } from 'vitest'
import type { StartServer } from '../../../src/http/server/server.ts'
import { get, RawSocket } from './raw-socket.ts'
import { startTrial } from './trial-service.ts'
import { eventually } from '../../eventually.ts'

export const drainSuite = (start: StartServer): void => {
  describe('when it drains', () => {
    it('finishes what runs, closes its connection, and takes nothing new', async () => {
      const { server, port, gate } = await startTrial(start)
      const running = await RawSocket.open(port)
      running.send(get('/slow'))
      await eventually(() => expect(gate.waiting()).toBe(1))
      let drained = false
      server.stopAccepting()
      const waiting = server.drained().then(() => {
        drained = true
      })
      await expect(RawSocket.open(port)).rejects.toThrow('ECONNREFUSED')
      expect(drained).toBe(false)
      gate.open()
      const response = await running.response()
      expect([response?.status, response?.body]).toEqual([200, '{"slow":true}'])
      expect(response?.headers.get('connection')).toBe('close')
      await running.closed()
      await waiting
      await server[Symbol.asyncDispose]()
    })

    it('waits for what runs although its caller has left', async () => {
      const { server, port, gate, door } = await startTrial(start)
      const hurried = await RawSocket.open(port)
      hurried.send(get('/slow'))
      await eventually(() => expect(gate.waiting()).toBe(1))
      hurried.destroy()
      server.stopAccepting()
      await server.drained()
      let isFinished = false
      const finished = door.finished().then(() => {
        isFinished = true
      })
      await new Promise(setImmediate)
      expect(isFinished).toBe(false)
      gate.open()
      await finished
      await server[Symbol.asyncDispose]()
    })

    it('closes connections that wait for nothing', async () => {
      const { server, port } = await startTrial(start)
      const idle = await RawSocket.open(port)
      idle.send(get('/things/a'))
      expect((await idle.response())?.headers.get('connection')).not.toBe('close')
      server.stopAccepting()
      await server.drained()
      await server[Symbol.asyncDispose]()
      await idle.closed()
    })

    it('cuts off what still runs when it is closed for good', async () => {
      const { server, port, gate } = await startTrial(start)
      const running = await RawSocket.open(port)
      running.send(get('/slow'))
      await eventually(() => expect(gate.waiting()).toBe(1))
      await server[Symbol.asyncDispose]()
      await running.closed()
      gate.open()
      await server.drained()
    })

    it('may be closed twice', async () => {
      const { server } = await startTrial(start)
      await server[Symbol.asyncDispose]()
      await expect(server[Symbol.asyncDispose]()).resolves.toBeUndefined()
    })
  })
}
