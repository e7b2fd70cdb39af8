/** Replaces what stands between two marks of a page, so that written and generated text can share it. */
export const fillMarked = (page: string, mark: string, text: string): string => {
  const begin = `<!-- generated: ${mark} -->`
  const end = `<!-- end: ${mark} -->`
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the page lacks the marks ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`
}
