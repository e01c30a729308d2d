/** Saves a CSV file of the API under a name. The header that names the workspace keeps it from being a plain link. */
export async function saveText(name: string, text: Promise<unknown>) {
  // Excel reads UTF-8 after a byte order mark, which `fetch` removes.
  const url = URL.createObjectURL(new Blob(['\ufeff', String(await text)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
