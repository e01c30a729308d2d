import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { type Language, languageOf, languages } from '../../../i18n'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../queries'
import { InvitationLink } from './InvitationLink'
import { MailNotConfigured } from './Invitations'
import { assignableRoles, invitationsQuery, type Role } from './member-queries'
import { RoleSelect } from './RoleSelect'

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [sent, setSent] = useState<{ email: string; url: string }>()
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setSent(undefined)}
      title={t(sent ? 'invitations.link' : 'members.invite')}
    >
      {sent ? (
        <InvitationLink {...sent} onClose={onClose}>
          {t('invitations.sent', { email: sent.email })}
        </InvitationLink>
      ) : (
        <InviteForm onDone={onClose} onLink={setSent} />
      )}
    </Dialog>
  )
}

type InviteFormProps = { onDone: () => void; onLink: (sent: { email: string; url: string }) => void }

function InviteForm({ onDone, onLink }: InviteFormProps) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const once = useIdempotencyKey()
  const initialValues: { email: string; role: Role; locale: Language } = {
    email: '',
    role: 'editor',
    locale: languageOf(workspace.locale),
  }
  const form = useForm({ initialValues })
  const invite = useFormSubmit(form, {
    at: { member_taken: 'email', invitation_taken: 'email' },
    mutationFn: (values) => {
      const body = { ...values, email: values.email.trim() }
      return once(body, (headers) =>
        unwrap(workspaceApi(workspace.slug).POST('/api/v1/workspace/invitations', { body, headers })),
      )
    },
    onSuccess: async ({ email, url }) => {
      if (url !== null) onLink({ email, url })
      else {
        // The first response was lost, and the repeated one has no link.
        notifications.show({ message: t('invitations.sent', { email }) })
        onDone()
      }
      await queryClient.invalidateQueries({ queryKey: invitationsQuery(workspace.slug).queryKey })
    },
  })
  return (
    <form onSubmit={invite.onSubmit} noValidate>
      <Stack>
        {invite.problem && <ProblemAlert error={invite.problem} />}
        <TextInput
          label={t('person.email')}
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleSelect
          label={t('members.role')}
          allowed={assignableRoles(workspace.role)}
          value={form.values.role}
          onChange={(role) => form.setFieldValue('role', role)}
          error={form.errors.role}
          description={t(`roles.${form.values.role}.about`)}
        />
        <Select
          label={t('invitations.language')}
          description={t('invitations.language_about')}
          allowDeselect={false}
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('locale')}
        />
        <MailNotConfigured />
        <DialogActions>
          <Button variant="default" onClick={onDone}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {t('invitations.send')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
