#!/usr/bin/env node
// Kept to old syntax, and everything else is imported late, so that even a Node from years ago can read the sentence.
import { existsSync } from 'node:fs'

var major = Number(process.versions.node.split('.')[0])
if (major < 20) {
  process.stderr.write(
    'Vouchsafe needs Node 20 or newer to start, and this is Node ' +
      process.versions.node +
      ': install a newer Node and start again.\n',
  )
  process.exit(1)
}

var root = new URL('..', import.meta.url)
var script = process.argv[2]
if (script === undefined || !existsSync(new URL(script, root))) {
  process.stderr.write(
    script === undefined
      ? 'Usage: node bootstrap/run.mjs SCRIPT [ARGUMENTS]\n'
      : 'There is no ' +
          script +
          ' in this copy of Vouchsafe: check the name, or fetch the whole repository again.\n',
  )
  process.exit(1)
}

void import('./start.mjs').then(function (start) {
  return start.start(script, process.argv.slice(3))
})
