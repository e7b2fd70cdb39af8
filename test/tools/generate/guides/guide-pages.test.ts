import { describe, expect, it } from 'vitest'
import { filledGuide, guideOf } from '../../../../tools/generate/guides/guide-pages.ts'

describe('a guide', () => {
  const guide = guideOf(
    'limits',
    '# Limits\n\n## Of `things`\n\nSee [here](errors.md#all) and [there](https://x.example).\n\n<!-- generated: x -->\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```json\n{"a": "<"}\n```\n',
  )

  it('has its title and the sections that one can go to', () => {
    expect([guide.title, guide.sections]).toEqual(['Limits', [{ id: 'of-things', title: 'Of things' }]])
    expect(guide.html).toContain('<h2 id="of-things">')
  })

  it('leads to other guides where the service shows them', () => {
    expect(guide.html).toContain('href="/docs/errors#all"')
    expect(guide.html).toContain('href="https://x.example"')
  })

  it('shows no mark, code as it is, and tables that can be moved by the keyboard', () => {
    expect(guide.html).not.toContain('<!--')
    expect(guide.html).toContain('<span class="text">&quot;&lt;&quot;</span>')
    expect(guide.html).toContain('<div class="scroll" tabindex="0"')
  })

  it('has cells that know what their column is called', () => {
    expect(guide.html).toContain('<th>a</th><th>b</th>')
    expect(guide.html).toContain('<tr><td>1</td><td data-label="b">2</td></tr>')
  })
})

it('what the code says is filled in at its mark', () => {
  const page = filledGuide('a\n<!-- generated: rates -->\nold\n<!-- end: rates -->\n')
  expect(page).toContain('| an API key | 300;')
  expect(page).not.toContain('old')
  expect(filledGuide('nothing to fill')).toBe('nothing to fill')
})
