/** An element and its ancestors, innermost first, each with its siblings. */
type FocusPath = { node: Element; beside: (Element | null)[] }[]

export function focusPath(node: Element | null): FocusPath {
  const place: FocusPath = []
  for (let at = node; at && at !== document.body; at = at.parentElement)
    place.push({ node: at, beside: [at.nextElementSibling, at.previousElementSibling] })
  return place
}

const FOCUSABLE = 'button:not(:disabled), a[href], input:not([type=hidden], [hidden], :disabled), textarea'

/** Focuses the element nearest to a removed one: its replacement, the next row, the heading or at last `main`. */
export function focusNearest(place: FocusPath) {
  for (const { node, beside } of place)
    for (const near of [node, ...beside]) {
      if (!near?.isConnected || near.id === 'main') continue
      const found = near.matches(FOCUSABLE) ? near : (near.querySelector(FOCUSABLE) ?? near.querySelector('h1, h2, h3'))
      if (found instanceof HTMLElement) return focusElement(found)
    }
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Also focuses non-focusable elements. */
export function focusElement(node: HTMLElement) {
  if (node.tabIndex < 0) node.tabIndex = -1
  node.focus()
}

/** Focuses an element in the middle of the page, where no sticky part covers it. */
export function focusAndShow(node: Element | null | undefined) {
  if (!(node instanceof HTMLElement)) return
  if (node.tabIndex < 0) node.tabIndex = -1
  node.focus({ preventScroll: true })
  node.scrollIntoView({ block: 'center' })
}

/** Whether no element has the focus, as after a removal. */
export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body
