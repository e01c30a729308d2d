import { InputBase, type InputBaseProps } from '@mantine/core'
import { type ReactNode, type Ref, Suspense, useCallback, useRef, useState } from 'react'

type Props = Omit<InputBaseProps, 'children'> & {
  'aria-label'?: string | undefined
  /** The text in the field. */
  children: ReactNode
  /** Loads the picker at once, because a field with a value has a button to clear it. */
  isSet: boolean
  /** Loads the code of the picker, when somebody comes near the field. */
  preload: () => Promise<unknown>
  /** Renders a component made with `lazy`. `ref`: belongs to the button that opens the picker. */
  picker: (ref: Ref<HTMLButtonElement>) => ReactNode
}

/**
 * A field that looks like a date picker and is replaced by it on a click. The code of calendars is large, and on most
 * visits nobody opens one.
 */
export function LazyPicker({ children, isSet, preload, picker, ...field }: Props) {
  const [isWanted, setWanted] = useState(false)
  const wasClicked = useRef(false)
  const open = useCallback((button: HTMLButtonElement | null) => {
    if (!button || !wasClicked.current) return
    wasClicked.current = false
    button.focus()
    button.click()
  }, [])
  const placeholder = (
    <InputBase
      component="button"
      type="button"
      pointer
      // As high as its text needs, like the picker itself.
      multiline
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => {
        wasClicked.current = true
        setWanted(true)
      }}
      {...field}
    >
      {children}
    </InputBase>
  )
  return isSet || isWanted ? <Suspense fallback={placeholder}>{picker(open)}</Suspense> : placeholder
}
