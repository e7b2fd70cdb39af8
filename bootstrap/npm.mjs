// @ts-check
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What a person sets to reach their registry; everything else that an outer npm hands down is about that outer run. */
const KEPT =
  /^npm_config_(registry|cache|userconfig|globalconfig|ca|cafile|cert|key|proxy|https_proxy|http_proxy|noproxy|strict_ssl|maxsockets|offline|prefer_offline|fetch_.*|.*_?auth.*|\/\/.*|@.*)$/i

/**
 * `npm start` runs us with its own settings in the environment (prefix, workspace, loglevel, omit …); an inner npm
 * would take them for its own.
 * @param {Record<string, string | undefined>} outer
 */
export const npmEnvironment = (outer = process.env) => {
  const inner = Object.fromEntries(
    Object.entries(outer).filter(([name, value]) => {
      if (/^npm_config_/i.test(name)) return KEPT.test(name) && value !== ''
      return !/^(npm_(package|lifecycle)_.*|npm_command|npm_execpath|npm_node_execpath|INIT_CWD|NODE_ENV)$/.test(
        name,
      )
    }),
  )
  // npm's own patience with a dead network is over a minute; a person should read why after a few seconds.
  return {
    npm_config_fetch_retries: '2',
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_maxtimeout: '4000',
    ...inner,
  }
}

/**
 * The npm that started us, else the one that came with this Node, else the one in the path.
 * @returns {{ command: string, first: string[] }}
 */
export const findNpm = (environment = process.env, node = process.execPath) => {
  const outer = environment.npm_execpath ?? ''
  const beside = join(dirname(node), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  const script = basename(outer) === 'npm-cli.js' && existsSync(outer) ? outer : beside
  return existsSync(script) ? { command: node, first: [script] } : { command: 'npm', first: [] }
}
