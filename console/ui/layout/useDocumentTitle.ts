import { useEffect } from 'react'

/** Sets the tab's title, which screen readers read. */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Meydan`
  }, [title])
}
