import { useEffect, useRef } from 'react'

/** Set before what somebody acts in is taken away for good: keys then go on at the content of the room. */
export function useGone() {
  const gone = useRef(false)
  useEffect(
    () => () => {
      if (gone.current) document.getElementById('main')?.focus({ preventScroll: true })
    },
    [],
  )
  return gone
}
