import { Box, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../feedback/ProblemAlert'
import { Dialog } from './Dialog'
import { DialogActions } from './DialogActions'

type PendingMutation = { isPending: boolean; error: Error | null; reset: () => void }

/** Asks before an action that is hard to undo; `mutation` is the mutation that `onConfirm` starts. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  children,
  confirm,
  stay,
  mutation,
  onConfirm,
}: {
  opened: boolean
  onClose: () => void
  title: string
  children: ReactNode
  confirm: string
  /** The label of the button that changes nothing, if “Cancel” could mean the action. */
  stay?: string
  mutation: PendingMutation
  onConfirm: () => void
}) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} onExitTransitionEnd={mutation.reset} title={title}>
      <Box mb="md">{children}</Box>
      {mutation.error && <ProblemAlert error={mutation.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {stay ?? t('ui.cancel')}
        </Button>
        <Button color="coral" loading={mutation.isPending} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
