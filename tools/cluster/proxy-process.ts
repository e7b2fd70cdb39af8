// node tools/cluster/proxy-process.ts SETTINGS-FILE runs the proxy of a cluster until SIGTERM; after SIGHUP with the nodes
// that the file names then.
import { readFileSync } from 'node:fs'
import { type ProxySettings, startProxy } from './proxy/proxy.ts'

const [file = ''] = process.argv.slice(2)
const read = (): ProxySettings => JSON.parse(readFileSync(file, 'utf8')) as ProxySettings
const proxy = await startProxy(read())
const stop = (): void => void proxy.stop().then(() => process.exit(0))
process.on('SIGHUP', () => void proxy.know(read().nodes))
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
