import { useEffect, useRef, useState } from 'react'

/** Copies a text. Browsers allow it only over HTTPS; otherwise `block` is selected, for the keyboard. */
export function useCopy<E extends HTMLElement = HTMLPreElement>(text: string) {
  const block = useRef<E>(null)
  const [done, setDone] = useState<'copied' | 'selected'>()
  const copy = async () => {
    setDone(undefined)
    try {
      await navigator.clipboard.writeText(text)
      setDone('copied')
    } catch {
      setDone('selected')
    }
  }
  useEffect(() => {
    if (done === 'selected' && block.current) getSelection()?.selectAllChildren(block.current)
  }, [done])
  return { block, done, copy }
}
