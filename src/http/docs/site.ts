import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Described, operationsOf, slugOf } from './described.ts'
import { Html, html, proseOf } from './html.ts'
import { operationView } from './operation-view.ts'
import { type Frame, type Guide, guidePath, pageOf } from './page.ts'

export type Asset = { readonly type: string; readonly text: string }

/** All pages by their paths. Each is made when it is requested for the first time, because most never are. */
export type Site = {
  readonly page: (path: string) => string | null
  readonly asset: (file: string) => Asset | null
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

export const createSite = (document: Described, guides: readonly Guide[]): Site => {
  const assets = new Map<string, Asset>()
  const add = (name: string): string => {
    const text = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')
    const [stem = '', ending = ''] = name.split('.')
    const file = `${stem}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${ending}`
    assets.set(file, { type: TYPES[ending] ?? 'text/plain', text })
    return `/docs/assets/${file}`
  }
  const frame: Frame = {
    document,
    guides,
    assets: { style: add('docs.css'), script: add('docs.js'), icon: add('icon.svg') },
  }
  const makers = new Map([...guideMakers(frame), ...tagMakers(frame)])
  return {
    page: (path) => makers.get(path)?.().text ?? null,
    asset: (file) => assets.get(file) ?? null,
  }
}

type Maker = readonly [path: string, make: () => Html]

const guideMakers = (frame: Frame): readonly Maker[] =>
  frame.guides.map(({ slug, title, html: text }) => {
    const path = guidePath(slug)
    return [path, () => pageOf(frame, path, title, html`<article class="guide">${new Html(text)}</article>`)]
  })

const tagMakers = (frame: Frame): readonly Maker[] =>
  frame.document.tags.map(({ name, description }) => {
    const path = `/docs/api/${slugOf(name)}`
    const make = (): Html => {
      const operations = operationsOf(frame.document, name)
      const views = operations.map((placed) => operationView(placed, frame.document))
      return pageOf(
        frame,
        path,
        name,
        html`<h1>${name}</h1><div class="lead">${proseOf(description)}</div>${views}`,
      )
    }
    return [path, make]
  })
