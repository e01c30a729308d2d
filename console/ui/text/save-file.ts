/** Saves a text as a file of the browser. Calls that need the header of a workspace cannot be plain links. */
export function saveFile(name: string, text: string, type: 'text/csv' | 'text/plain') {
  // Excel reads UTF-8 after a byte order mark, which `fetch` removes.
  const mark = type === 'text/csv' ? '\ufeff' : ''
  const url = URL.createObjectURL(new Blob([mark, text], { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
