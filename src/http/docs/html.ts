/** Text that is markup already. Everything else is escaped where it is put into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, index) => `${text}${index < parts.length ? shown(parts[index]) : ''}`).join(''))

const shown = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escaped(part)
  return typeof part === 'number' ? String(part) : part.map(shown).join('')
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Paragraphs, lists and `code` of a description. */
export const proseOf = (text: string): Html =>
  new Html(
    text
      .split('\n\n')
      .map((block) =>
        block.startsWith('- ')
          ? `<ul>${block
              .split('\n')
              .map((line) => `<li>${inlineOf(line.slice(2)).text}</li>`)
              .join('')}</ul>`
          : `<p>${inlineOf(block).text}</p>`,
      )
      .join(''),
  )

export const inlineOf = (text: string): Html =>
  new Html(escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'))

/** JSON with indentation and colours. */
export const jsonOf = (value: unknown): Html => new Html(jsonText(JSON.stringify(value, null, 2)))

/** The same for JSON that is serialised already. */
export const jsonText = (json: string): string =>
  escaped(json).replaceAll(
    /&quot;((?:(?!&quot;|\\).|\\&quot;|\\.)*)&quot;(:?)/g,
    (_, text: string, colon: string) =>
      colon === ''
        ? `<span class="text">&quot;${text}&quot;</span>`
        : `<span class="key">&quot;${text}&quot;</span>:`,
  )
