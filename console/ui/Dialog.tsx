import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

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
export function Dialog({ children, ...props }: ModalProps) {
  const { t } = useTranslation()
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('ui.close') }}
      styles={{ title: { fontSize: 'var(--mantine-h3-font-size)', fontWeight: 650 } }}
      {...props}
    >
      <div ref={markFirst}>{children}</div>
    </Modal>
  )
}
