const SCHEME = 'data-mantine-color-scheme'

/** Shows the page in its light colors while it is printed: paper has no dark backgrounds for light texts. */
export function printInLightColors() {
  const root = document.documentElement
  let shown: string | undefined
  const begin = () => {
    shown ??= root.getAttribute(SCHEME) ?? 'light'
    root.setAttribute(SCHEME, 'light')
  }
  const end = () => {
    if (shown) root.setAttribute(SCHEME, shown)
    shown = undefined
  }
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  // A print preview can change the medium without these events.
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? begin() : end()))
}
