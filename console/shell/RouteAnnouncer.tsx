import { VisuallyHidden } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** After navigation, focuses the content of the page and announces its title to screen readers. */
export function RouteAnnouncer() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  const [title, setTitle] = useState('')
  useEffect(() => {
    const moved = before.current !== undefined && before.current !== path
    before.current = path
    if (!moved) return
    const main = document.getElementById('main')
    // A focused field keeps the focus.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    setTitle(document.title)
  }, [path])
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>
}
