import { readFileSync } from 'node:fs'
import { Marked } from 'marked'
import type { Guide } from '../../../src/http/docs/page.ts'
import { escaped, jsonText } from '../../../src/http/docs/html.ts'
import { fillMarked } from '../marked.ts'
import { guideFacts } from './facts.ts'

/** In the order in which they are read. */
export const GUIDES = [
  'start',
  'encoding',
  'idempotency',
  'many-offers',
  'limits',
  'errors',
  'webhooks',
  'ledger',
  'compatibility',
] as const

export const guideFile = (slug: string): string => `docs/tenants/${slug}.md`

/** What is written on a page, with what the code says in it. */
export const filledGuide = (now: string): string =>
  Object.entries(guideFacts).reduce(
    (page, [mark, render]) =>
      page.includes(`<!-- generated: ${mark} -->`) ? fillMarked(page, mark, render()) : page,
    now,
  )

/** The pages as markup, so that the service needs nothing that reads Markdown. */
export const guidesModule = (): string => {
  const root = new URL('../../../', import.meta.url)
  const guides = GUIDES.map((slug) =>
    guideOf(slug, filledGuide(readFileSync(new URL(guideFile(slug), root), 'utf8'))),
  )
  return [
    '// Made from docs/tenants by `npm run generate`.',
    "import type { Guide } from '../page.ts'",
    '',
    `export const guides: readonly Guide[] = ${JSON.stringify(guides, null, 2)}`,
    '',
  ].join('\n')
}

export const guideOf = (slug: string, markdown: string): Guide => {
  const sections: { id: string; title: string }[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = idOf(text)
        if (depth === 2) sections.push({ id, title: text.replaceAll('`', '') })
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inner}</h1>\n`
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`
      },
      code({ text, lang }) {
        const shown = lang === 'json' ? jsonText(text) : escaped(text)
        return `<div class="code"><pre tabindex="0"><code>${shown}</code></pre></div>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        return `<a href="${escaped(addressOf(href))}">${inner}</a>`
      },
      table({ header, rows }) {
        const headings = header.map(({ tokens }) => `<th>${this.parser.parseInline(tokens)}</th>`)
        const lines = rows.map((row) => {
          const cells = row.map(({ tokens }, column) => {
            const inner = this.parser.parseInline(tokens)
            return `<td${labelOf(column, header[column]?.text ?? '')}>${inner}</td>`
          })
          return `<tr>${cells.join('')}</tr>`
        })
        return [
          '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
          `<thead><tr>${headings.join('')}</tr></thead>`,
          `<tbody>${lines.join('\n')}</tbody>`,
          '</table></div>\n',
        ].join('\n')
      },
      html: ({ text }) => (text.startsWith('<!--') ? '' : text),
    },
  })
  const html = marked.parse(markdown, { async: false })
  const [, title = slug] = /^# (.+)$/m.exec(markdown) ?? []
  return { slug, title: slug === 'start' ? 'Start here' : title, sections, html }
}

/** What its column is called, for screens without room for columns; the first cell is a heading there itself. */
const labelOf = (column: number, heading: string): string =>
  column === 0 || heading === '' ? '' : ` data-label="${escaped(heading.replaceAll('`', ''))}"`

const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** A page beside this one is a page below /docs. */
const addressOf = (href: string): string => {
  const [, slug, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  return slug === undefined ? href : `/docs/${slug}${anchor}`
}
