import { describe, expect, it } from 'vitest'
import { guides } from '../../../src/http/docs/generated/guides.ts'
import { createSite } from '../../../src/http/docs/site.ts'
import { shownDocument } from './shown-document.ts'

const site = createSite(shownDocument, guides)
const linksOf = (page: string): string[] =>
  [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map((found) => found[1] ?? '')

/** Every page that can be reached from the first one. */
const reached = (): ReadonlyMap<string, string> => {
  const pages = new Map<string, string>()
  const follow = (path: string): void => {
    if (pages.has(path)) return
    const page = site.page(path)
    if (page === null) return
    pages.set(path, page)
    for (const link of linksOf(page)) if (link.startsWith('/docs')) follow(link.split('#')[0] ?? '')
  }
  follow('/docs')
  return pages
}

describe('the pages', () => {
  const pages = reached()

  it('are all reached from the first one: a guide for each subject, a page for each tag', () => {
    const used = shownDocument.tags.map(({ name }) => `/docs/api/${name.toLowerCase().replaceAll(' ', '-')}`)
    const expected = ['/docs', ...guides.slice(1).map(({ slug }) => `/docs/${slug}`), ...used]
    expect([...pages.keys()].toSorted()).toEqual(expected.toSorted())
  })

  it('have no link that leads nowhere, anchors included', () => {
    const broken = [...pages].flatMap(([path, page]) =>
      linksOf(page).filter((link) => {
        if (link === '/openapi.json') return false
        const [to = '', anchor] = link.split('#')
        if (to.startsWith('/docs/assets/')) return site.asset(to.slice('/docs/assets/'.length)) === null
        const target = pages.get(to === '' ? path : to)
        return target === undefined || (anchor !== undefined && !target.includes(`id="${anchor}"`))
      }),
    )
    expect(broken).toEqual([])
  })

  it('need nothing that their policy forbids', () => {
    for (const [path, page] of pages) {
      expect(page, path).not.toMatch(
        /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:\/\/[^"\s]+\.(js|css)/,
      )
      expect(page.match(/<h1/g)?.length, path).toBe(1)
      expect(page, path).toMatch(/<title>[^<]+ API<\/title>/)
    }
  })

  it('show every operation and every code', () => {
    const all = [...pages.values()].join('')
    const operations = [...Object.values(shownDocument.paths), ...Object.values(shownDocument.webhooks)]
    for (const { operationId } of operations.flatMap((item) => Object.values(item)))
      expect(all, operationId).toContain(`<section class="operation" id="${operationId}"`)
  })
})

it('what is not there is not there', () => {
  expect(site.page('/docs/nothing')).toBeNull()
  expect(site.asset('../site.ts')).toBeNull()
})
