import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { type Account, queryClient, unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useWorkspace } from '../../workspaces/queries'
import { accountsQuery } from '../queries'

type Props = { account: Account; opened: boolean; onClose: () => void }

/** Changes the name under which the team sees an account. */
export function RenameAccountDialog({ account, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('accounts.rename_title', { name: account.name })}>
      {opened && <RenameForm account={account} onDone={onClose} />}
    </Dialog>
  )
}

function RenameForm({ account, onDone }: { account: Account; onDone: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm({ initialValues: { name: account.name } })
  const rename = useFormSubmit(form, {
    mutationFn: (body) =>
      unwrap(workspaceApi(slug).PATCH('/api/v1/accounts/{id}', { params: { path: { id: account.id } }, body })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: accountsQuery(slug).queryKey })
      onDone()
    },
  })
  return (
    <form onSubmit={rename.onSubmit} noValidate>
      <Stack>
        {rename.problem && <ProblemAlert error={rename.problem} />}
        <TextInput
          label={t('accounts.name_field')}
          description={t('accounts.name_about')}
          maxLength={100}
          dir="auto"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <DialogActions>
          <Button variant="default" onClick={onDone}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={rename.isPending}>
            {t('accounts.rename_save')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
