import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { goOnNear, isAstray, placeOf } from './place'

/** Where keys begin: at the first field, else at the first button, which is the one that changes nothing. */
const markFirst = (body: HTMLElement | null) => {
  if (!body || body.querySelector('[data-autofocus]')) return
  const takesKeys = (node: HTMLElement) => node.tabIndex >= 0 && !node.closest('[hidden], :disabled, [type=hidden]')
  const first = [body.querySelectorAll<HTMLElement>('input, textarea'), body.querySelectorAll<HTMLElement>('button, a')]
    .flatMap((nodes) => [...nodes])
    .find(takesKeys)
  first?.setAttribute('data-autofocus', '')
}

/** A modal window whose close button has a name. */
export function Dialog({ children, onExitTransitionEnd, ...props }: ModalProps) {
  const { t } = useTranslation()
  const opener = useRef<ReturnType<typeof placeOf>>([])
  const { opened } = props
  useEffect(() => {
    if (opened) opener.current = placeOf(document.activeElement)
  }, [opened])
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('ui.close') }}
      styles={{ title: { fontSize: 'var(--mantine-h3-font-size)', fontWeight: 650 } }}
      {...props}
      onExitTransitionEnd={() => {
        onExitTransitionEnd?.()
        // What opened it may be gone: the window gives the focus back to nothing then.
        setTimeout(() => isAstray() && goOnNear(opener.current))
      }}
    >
      <div ref={markFirst}>{children}</div>
    </Modal>
  )
}
