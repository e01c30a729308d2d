import { Alert, Button, Group, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog'
import { Problem } from './screens'

/** The form that had the focus has gone. */
const focusButton = (shown: HTMLElement | null) => {
  shown?.querySelector('button')?.focus()
}

/** What asks before a secret is made, then that secret. It is never shown again, so nothing but its button closes it. */
export function ShownOnce({
  opened,
  onClose,
  onClosed,
  title,
  titleOfSecret,
  secret,
  shown,
  lost,
  children,
}: {
  opened: boolean
  onClose: () => void
  /** Once it is out of sight. */
  onClosed?: () => void
  title?: string
  titleOfSecret: string
  /** undefined: it is not made yet; null: it got lost on its way, and is not told twice. */
  secret: string | null | undefined
  shown: ReactNode
  lost: ReactNode
  children?: ReactNode
}) {
  const isMade = secret !== undefined
  const mustStay = opened && typeof secret === 'string'
  useBlocker({ shouldBlockFn: () => mustStay, enableBeforeUnload: () => mustStay })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      size="lg"
      title={isMade ? titleOfSecret : title}
      withCloseButton={!isMade}
      closeOnEscape={!isMade}
      closeOnClickOutside={!isMade}
    >
      {isMade ? <Stack ref={focusButton}>{secret === null ? lost : shown}</Stack> : children}
    </Dialog>
  )
}

/** The first answer got lost, and the one that repeats it holds no secret: another can be made. */
export function LostSecret({
  title,
  detail,
  again,
  error,
  isPending,
  onAgain,
  onClose,
}: {
  title: string
  detail: string
  /** What the button says that makes another. */
  again: string
  error: Error | null
  isPending: boolean
  onAgain: () => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <>
      <Alert color="yellow" icon={<TriangleAlert size={20} />} title={title}>
        {detail}
      </Alert>
      {error && <Problem error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button loading={isPending} onClick={onAgain}>
          {again}
        </Button>
      </Group>
    </>
  )
}
