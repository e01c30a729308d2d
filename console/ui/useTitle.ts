import { useEffect } from 'react'

/** Names the tab, and with it the page for a screen reader. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Meydan`
  }, [title])
}
