import { type Described, operationsOf, slugOf } from './described.ts'
import { type Html, html } from './html.ts'

export type Guide = {
  readonly slug: string
  readonly title: string
  readonly sections: readonly { readonly id: string; readonly title: string }[]
  /** Markup, made from our own pages. */
  readonly html: string
}

export type Frame = {
  readonly document: Described
  readonly guides: readonly Guide[]
  readonly assets: { readonly style: string; readonly script: string; readonly icon: string }
}

/** A whole page: the menu, and the content beside it. */
export const pageOf = (frame: Frame, path: string, title: string, content: Html): Html => {
  const { document, assets } = frame
  const { info } = document
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === info.title ? `${info.title} API` : `${title} · ${info.title} API`}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" type="module"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<button class="menu" type="button" popovertarget="ways">Menu</button>
<a class="brand" href="/docs">${info.title} <span>API ${info.version}</span></a>
<a class="source" href="/openapi.json">openapi.json</a>
</header>
<div class="page">
${waysView(frame, path)}
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`
}

const waysView = ({ document, guides }: Frame, path: string): Html => {
  const way = (to: string, title: string): Html =>
    html`<a href="${to}"${to === path && html` aria-current="page"`}>${title}</a>`
  const guideWays = guides.map(({ slug, title, sections }) => {
    const to = guidePath(slug)
    const within = sections.map(({ id, title: part }) => html`<li><a href="${to}#${id}">${part}</a></li>`)
    return html`<li>${way(to, title)}${to === path && within.length > 1 && html`<ul>${within}</ul>`}</li>`
  })
  const groups = document['x-tagGroups'].map(({ name, tags }) => {
    const used = tags.filter((tag) => operationsOf(document, tag).length > 0)
    const items = used.map((tag) => tagWays(document, tag, path))
    return html`<h2>${name}</h2><ul>${items}</ul>`
  })
  return html`<nav id="ways" popover aria-label="Pages">
<search class="find" hidden><label>Find <input type="search" placeholder="an operation or a path" autocomplete="off" spellcheck="false"></label><p role="status"></p></search>
<h2>Guides</h2><ul>${guideWays}</ul>
${groups}
</nav>`
}

const tagWays = (document: Described, tag: string, path: string): Html => {
  const to = `/docs/api/${slugOf(tag)}`
  const operations = operationsOf(document, tag).map(
    ({ method, path: address, isWebhook, operation: { operationId, summary } }) =>
      html`<li data-find="${address}"><a href="${to}#${operationId}">${summary} <span class="verb ${isWebhook ? 'event' : method.toLowerCase()}">${isWebhook ? 'event' : method}</span></a></li>`,
  )
  const isHere = to === path
  return html`<li><a href="${to}"${isHere && html` aria-current="page"`}>${tag}</a><ul${!isHere && html` class="folded"`}>${operations}</ul></li>`
}

export const guidePath = (slug: string): string => (slug === 'start' ? '/docs' : `/docs/${slug}`)
