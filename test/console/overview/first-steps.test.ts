import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { firstSteps } from '../../../console/src/overview/first-steps.ts'
import { texts } from '../../../console/src/texts/texts.ts'

it('the first steps are those of the README, in its order', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const [, walk = ''] = /\n## Issue a credential in the browser\n([^]*?)\n## /.exec(readme) ?? []
  const walked = [...walk.matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map(([, title]) => title)
  expect(walked).toEqual(firstSteps.map((name) => texts.checklist.steps[name].title))
})
