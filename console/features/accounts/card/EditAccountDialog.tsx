import { Button, Stack, Textarea, TextInput } from '@mantine/core'
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

/** Changes the name under which the team sees an account, and its signature. */
export function EditAccountDialog({ account, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('accounts.edit_title', { name: account.name })}>
      {opened && <EditForm account={account} onDone={onClose} />}
    </Dialog>
  )
}

function EditForm({ account, onDone }: { account: Account; onDone: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm({ initialValues: { name: account.name, signature: account.signature ?? '' } })
  const change = useFormSubmit(form, {
    mutationFn: ({ name, signature }) =>
      unwrap(
        workspaceApi(slug).PATCH('/api/v1/accounts/{id}', {
          params: { path: { id: account.id } },
          body: { ...(name !== account.name && { name }), signature: signature.trim() || null },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: accountsQuery(slug).queryKey })
      onDone()
    },
  })
  return (
    <form onSubmit={change.onSubmit} noValidate>
      <Stack>
        {change.problem && <ProblemAlert error={change.problem} />}
        <TextInput
          label={t('accounts.name_field')}
          description={t('accounts.name_about')}
          maxLength={100}
          dir="auto"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t('accounts.signature')}
          description={t('accounts.signature_about')}
          maxLength={500}
          autosize
          minRows={2}
          maxRows={8}
          dir="auto"
          {...form.getInputProps('signature')}
        />
        <DialogActions>
          <Button variant="default" onClick={onDone}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('accounts.edit_save')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
