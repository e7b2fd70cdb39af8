import { expect, it } from 'vitest'
import { html } from '../../../src/http/docs/html.ts'
import { guidePath, pageOf } from '../../../src/http/docs/page.ts'
import { shownDocument } from './shown-document.ts'

const guide = {
  slug: 'limits',
  title: 'Limits',
  sections: [
    { id: 'a', title: 'A' },
    { id: 'b', title: 'B' },
  ],
  html: '',
}
const frame = { document: shownDocument, guides: [guide], assets: { style: 's', script: 'j', icon: 'i' } }

it('a page says which one it is, and shows the ways to its own parts alone', () => {
  const page = pageOf(frame, '/docs/limits', 'Limits', html`<p>Here.</p>`).text
  expect(page).toContain('<title>Limits · Vouchsafe API</title>')
  expect(page.match(/aria-current="page"/g)?.length).toBe(1)
  expect(page).toContain('href="/docs/limits#b"')
  expect(pageOf(frame, '/docs/api/proofs', 'Proofs', html``).text).not.toContain('href="/docs/limits#b"')
})

it('the first guide stands at the entrance', () => {
  expect([guidePath('start'), guidePath('limits')]).toEqual(['/docs', '/docs/limits'])
})
