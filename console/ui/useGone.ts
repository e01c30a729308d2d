import { useEffect, useLayoutEffect, useRef } from 'react'
import { goOnNear, placeOf } from './place'

/**
 * Set before what somebody acts in is taken away for good: keys then go on near it. `at`: its element, or one inside of
 * it.
 */
export function useGone<Node extends HTMLElement = HTMLElement>() {
  const gone = useRef(false)
  const at = useRef<Node>(null)
  const place = useRef<ReturnType<typeof placeOf>>([])
  useLayoutEffect(
    () => () => {
      if (gone.current) place.current = placeOf(at.current)
    },
    [],
  )
  useEffect(
    () => () => {
      if (gone.current) goOnNear(place.current)
    },
    [],
  )
  return { gone, at }
}
