import { Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrapWithEtag, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { FormSection } from '../../../ui/forms/FormSection'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import type { Loaded } from '../../../ui/forms/useRecordForm'
import { useWorkspace } from '../../workspaces/queries'
import { type PayoutAccount, payoutAccountQuery } from '../queries'

/** Where earnings are paid to. The saved IBAN is shown masked, and can only be replaced. */
export function PayoutAccountForm({ saved }: { saved: Loaded<PayoutAccount> | null }) {
  const { t } = useTranslation()
  const [isChanging, setChanging] = useState(false)
  return (
    <FormSection title={t('earnings.account')} about={t('earnings.account_about')}>
      {saved && !isChanging ? (
        <Group justify="space-between">
          <div>
            <Text fw={600}>{saved.record.holder}</Text>
            <Text>{saved.record.iban_masked ?? saved.record.note}</Text>
          </div>
          <Button variant="default" onClick={() => setChanging(true)}>
            {t('earnings.account_change')}
          </Button>
        </Group>
      ) : (
        <AccountForm saved={saved} onCancel={saved && (() => setChanging(false))} />
      )}
    </FormSection>
  )
}

type FormProps = { saved: Loaded<PayoutAccount> | null; onCancel: (() => void) | null }

function AccountForm({ saved, onCancel }: FormProps) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [kind, setKind] = useState<'iban' | 'note'>(saved?.record.note ? 'note' : 'iban')
  const form = useForm({
    initialValues: { holder: saved?.record.holder ?? '', iban: '', note: saved?.record.note ?? '' },
  })
  const save = useFormSubmit(form, {
    mutationFn: ({ holder, iban, note }) =>
      unwrapWithEtag(
        workspaceApi(slug).PUT('/api/v1/marketplace/payout-account', {
          body: { holder: holder.trim(), ...(kind === 'iban' ? { iban: iban.trim() } : { note: note.trim() }) },
          ...(saved && { headers: { 'if-match': saved.etag } }),
        }),
      ),
    onSuccess: (account) => {
      notifications.show({ message: t('earnings.account_saved') })
      queryClient.setQueryData(payoutAccountQuery(slug).queryKey, account)
    },
  })
  return (
    <form onSubmit={save.onSubmit} noValidate>
      {saved && (
        <Text fz="sm" mb="sm">
          {t('earnings.account_hold')}
        </Text>
      )}
      <TextInput
        label={t('earnings.holder')}
        maxLength={100}
        autoComplete="name"
        required
        mb="md"
        {...form.getInputProps('holder')}
      />
      <SegmentedControl
        aria-label={t('earnings.account_kind')}
        data={[
          { value: 'iban', label: t('earnings.iban') },
          { value: 'note', label: t('earnings.without_iban') },
        ]}
        value={kind}
        onChange={(chosen) => setKind(chosen === 'note' ? 'note' : 'iban')}
        mb="sm"
      />
      {kind === 'iban' ? (
        <TextInput
          label={t('earnings.iban')}
          placeholder="TR00 0000 0000 0000 0000 0000 00"
          maxLength={50}
          autoComplete="off"
          spellCheck={false}
          required
          {...form.getInputProps('iban')}
        />
      ) : (
        <TextInput
          label={t('earnings.note')}
          description={t('earnings.note_about')}
          maxLength={300}
          autoComplete="off"
          required
          {...form.getInputProps('note')}
        />
      )}
      {save.problem && <ProblemAlert error={save.problem} />}
      <Group justify="flex-end" mt="md">
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        )}
        <Button type="submit" loading={save.isPending}>
          {t('earnings.account_save')}
        </Button>
      </Group>
    </form>
  )
}
