// The pages are whole without this: it finds operations by their words, and copies examples.
const ways = document.querySelector('#ways')
const find = ways?.querySelector('.find')
const input = find?.querySelector('input')
const status = find?.querySelector('[role=status]')

if (ways && find && input && status) {
  find.hidden = false
  // A page and what is on it, under the heading of its group.
  const pages = [...ways.querySelectorAll(':scope > ul > li')].map((item) => ({
    item,
    words: item.querySelector('a').textContent.toLowerCase(),
    within: item.querySelector('ul'),
    isFolded: item.querySelector('ul')?.classList.contains('folded') ?? false,
    parts: [...item.querySelectorAll('li')].map((part) => ({
      part,
      words: `${part.textContent} ${part.dataset.find ?? ''}`.toLowerCase(),
    })),
  }))
  const show = () => {
    const sought = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const fits = (words) => sought.every((word) => words.includes(word))
    for (const { item, words, within, isFolded, parts } of pages) {
      for (const each of parts) each.part.hidden = !fits(each.words) && !fits(words)
      const found = sought.length > 0 && parts.some(({ part }) => !part.hidden)
      item.hidden = !found && !fits(words)
      within?.classList.toggle('folded', isFolded && !found)
    }
    for (const list of ways.querySelectorAll(':scope > ul')) {
      const isEmpty = [...list.children].every((item) => item.hidden)
      list.hidden = isEmpty
      list.previousElementSibling.hidden = isEmpty
    }
    status.textContent = pages.every(({ item }) => item.hidden) ? 'Nothing has these words.' : ''
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      const links = [...ways.querySelectorAll('a')].filter((link) => link.checkVisibility())
      const first = links.find((link) => link.closest('li[data-find]')) ?? links[0]
      if (input.value !== '') first?.click()
    }
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (getComputedStyle(ways).position === 'fixed' || !ways.checkVisibility()) ways.showPopover()
    input.focus()
  })
}

// Where the ways lie over the page, they go away when one is taken.
ways?.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a') && ways.matches(':popover-open')) ways.hidePopover()
})

for (const block of document.querySelectorAll('.example, .code')) {
  if (!navigator.clipboard) break
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').innerText.trimEnd())
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  block.append(button)
}
