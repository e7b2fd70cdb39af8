#!/usr/bin/env node
process.argv.splice(2, 0, 'src/cli.ts')
await import('./run.mjs')
