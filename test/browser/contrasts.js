// Runs in the page: how its texts stand out from what is behind them, as WCAG 2 counts it.
;(() => {
  const parts = (color) => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (color) => {
    const [red, green, blue] = parts(color).map((part) => {
      const share = part / 255
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const groundOf = (element) => {
    if (element === null) return 'rgb(255, 255, 255)'
    const color = getComputedStyle(element).backgroundColor
    return (parts(color)[3] ?? 1) === 0 ? groundOf(element.parentElement) : color
  }
  const hasText = ({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '')
  const ratioOf = (element) => {
    const both = [getComputedStyle(element).color, groundOf(element)].map(luminance)
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
  }
  return [...document.querySelectorAll('body *')]
    .filter((element) => hasText(element) && element.checkVisibility())
    .map((element) => ({ text: element.textContent.trim().slice(0, 40), ratio: ratioOf(element) }))
})()
