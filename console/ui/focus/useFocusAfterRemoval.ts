import { useEffect, useLayoutEffect, useRef } from 'react'
import { focusNearest, focusPath } from './focus'

/**
 * Moves the focus near a removed component. `gone`: set before the removal. `at`: the component's element, or one
 * inside.
 */
export function useFocusAfterRemoval<Node extends HTMLElement = HTMLElement>() {
  const gone = useRef(false)
  const at = useRef<Node>(null)
  const place = useRef<ReturnType<typeof focusPath>>([])
  useLayoutEffect(
    () => () => {
      if (gone.current) place.current = focusPath(at.current)
    },
    [],
  )
  useEffect(
    () => () => {
      if (gone.current) focusNearest(place.current)
    },
    [],
  )
  return { gone, at }
}
