// node tools/cluster/proxy-process.ts SETTINGS-FILE runs the proxy of a cluster until SIGTERM.
import { readFileSync } from 'node:fs'
import { type ProxySettings, startProxy } from './proxy/proxy.ts'

const [file = ''] = process.argv.slice(2)
const proxy = await startProxy(JSON.parse(readFileSync(file, 'utf8')) as ProxySettings)
const stop = (): void => void proxy.stop().then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
