/** Hands a text to the person as a file. */
export const saveAsFile = (name: string, text: string, type = 'text/plain'): void => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
