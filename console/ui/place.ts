/** Where something stood, from the inside to the outside, with what stood beside it. */
type Place = { node: Element; beside: (Element | null)[] }[]

export function placeOf(node: Element | null): Place {
  const place: Place = []
  for (let at = node; at && at !== document.body; at = at.parentElement)
    place.push({ node: at, beside: [at.nextElementSibling, at.previousElementSibling] })
  return place
}

const takesKeys = 'button:not(:disabled), a[href], input:not([type=hidden], [hidden], :disabled), textarea'

/** Keys go on as near as can be to what was taken away: in what replaced it, in the next row, at the heading, at last in the room. */
export function goOnNear(place: Place) {
  for (const { node, beside } of place)
    for (const near of [node, ...beside]) {
      if (!near?.isConnected || near.id === 'main') continue
      const found = near.matches(takesKeys) ? near : (near.querySelector(takesKeys) ?? near.querySelector('h1, h2, h3'))
      if (found instanceof HTMLElement) return focusAt(found)
    }
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Focuses what takes no keys by itself, too. */
export function focusAt(node: HTMLElement) {
  if (node.tabIndex < 0) node.tabIndex = -1
  node.focus()
}

/** Whether keys go nowhere, because what had them is gone. */
export const isAstray = () => document.activeElement === null || document.activeElement === document.body
