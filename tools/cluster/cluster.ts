import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { Failure } from '../../bootstrap/failure.mjs'
import { withLock } from '../../bootstrap/lock.mjs'
import { isFree } from '../../src/ledger/sandbox/reserved-ports.ts'
import {
  existingLayout,
  type Layout,
  makeLayout,
  type NodePlace,
  paths,
  readLayout,
  type Wanted,
} from './layout.ts'
import { askProxy, LEDGER, PROXY } from './programs.ts'
import { runningIn, type Say } from './running.ts'
import { makeSecrets } from './secrets.ts'
import { HOST, nodeName, publicUrl } from './settings.ts'

/** A cluster on this machine, in a folder of its own. Each command may come from another process. */
export const clusterIn = (folder: string, say: Say = () => undefined) => {
  const { processes, startNodes, startAll, stopAll, servers } = runningIn(folder, say)
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const wait = () => say('Another command is at this cluster; waiting for it …')
    return withLock(paths(folder).lock, work, wait)
  }

  const up = async (wanted: Wanted): Promise<Layout> => {
    if (processes.running(PROXY) === null && !(await isFree(HOST, wanted.port)))
      throw new Failure(`${HOST}:${wanted.port} is taken: choose another with --port.`)
    const layout = await makeLayout(folder, wanted)
    makeSecrets(folder, layout)
    try {
      await startAll(layout)
      return layout
    } catch (error) {
      // What has begun does not stay half begun; the logs and the data do.
      await stopAll()
      throw error
    }
  }
  const start = (number: number): Promise<void> => {
    const { layout, node } = nodeOf(folder, number)
    return startNodes(layout, [node])
  }
  const stop = (number: number): Promise<void> => processes.stop(nodeName(nodeOf(folder, number).node))

  return {
    up: (wanted: Wanted) => alone(() => up(wanted)),
    down: (wipe: boolean) =>
      alone(async () => {
        await stopAll()
        // Only a folder that a cluster has made is removed, whatever the option named.
        if (wipe && existsSync(paths(folder).layout)) rmSync(folder, { recursive: true, force: true })
      }),
    start: (number: number) => alone(() => start(number)),
    /** Lets the node finish what it has begun. */
    stop: (number: number) => alone(() => stop(number)),
    kill: (number: number) => alone(() => processes.kill(nodeName(nodeOf(folder, number).node))),
    /** One after the other, each only when the one before takes requests again. */
    restart: (numbers: readonly number[]) =>
      alone(async () => {
        const all = numbers.length > 0 ? numbers : existingLayout(folder).nodes.map((node) => node.number)
        for (const number of all) {
          await stop(number)
          await start(number)
          say(`${nodeName({ number })} is ready again.`)
        }
      }),
    status: async () => {
      const layout = readLayout(folder)
      const seen = layout === null ? null : await askProxy(layout)
      const names = layout === null ? [] : [LEDGER, ...layout.nodes.map(nodeName), PROXY]
      const programs = names.map((name) => {
        const pid = processes.running(name)?.pid ?? null
        return { name, pid, node: seen?.nodes.find((node) => node.name === name) ?? null }
      })
      return { layout, programs, servers: await servers() }
    },
    logFile: (name: string): string => processes.logFile(name),
    /** What a caller of the cluster, and its operator on this machine, need to know. */
    place: () => ({
      url: publicUrl(existingLayout(folder)),
      authorityFile: paths(folder).authority,
      dataFolder: paths(folder).data(1),
    }),
  }
}

const nodeOf = (folder: string, number: number): { readonly layout: Layout; readonly node: NodePlace } => {
  const layout = existingLayout(folder)
  const node = layout.nodes.find((each) => each.number === number)
  if (node === undefined) throw new Failure(`This cluster has nodes 1 to ${layout.nodes.length}.`)
  return { layout, node }
}
