import { Button, MultiSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { type Account, unwrap, workspaceApi } from '../../../api'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { useAccountLabel } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { type AccountGroup, reloadAccountGroups } from './queries'

const MAX_ACCOUNTS = 100

/** Adds a group, or changes the given one. */
export function GroupForm({
  group,
  accounts,
  onClose,
}: {
  group: AccountGroup | undefined
  accounts: Account[]
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const labelOf = useAccountLabel()
  const client = workspaceApi(slug)
  const once = useIdempotencyKey()
  const form = useForm({ initialValues: { name: group?.name ?? '', account_ids: group?.account_ids ?? [] } })
  const submit = useFormSubmit(form, {
    at: { account_group_name_taken: 'name' },
    mutationFn: (body) =>
      group
        ? unwrap(
            client.PATCH('/api/v1/account-groups/{id}', {
              params: { path: { id: group.id } },
              body,
              headers: { 'if-match': `"${group.version}"` },
            }),
          )
        : once(body, (headers) => unwrap(client.POST('/api/v1/account-groups', { body, headers }))),
    onSuccess: async () => {
      await reloadAccountGroups(slug)
      onClose()
    },
    // The list shows the version of somebody else.
    onError: () => reloadAccountGroups(slug),
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <TextInput
          label={t('account_groups.name')}
          maxLength={80}
          autoComplete="off"
          required
          {...form.getInputProps('name')}
        />
        <MultiSelect
          label={t('account_groups.accounts')}
          data={accounts.map((account) => ({ value: account.id, label: labelOf(account) }))}
          maxValues={MAX_ACCOUNTS}
          searchable
          hidePickedOptions
          nothingFoundMessage={t('ui.nothing_found')}
          {...form.getInputProps('account_ids')}
        />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending}>
            {t('account_groups.save')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
