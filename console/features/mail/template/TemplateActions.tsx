import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, Inbox } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { fieldProblems } from '../../../ui/feedback/problem'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useMe } from '../../auth/queries'
import { builtInLanguage, DEFAULT, fallbackTemplate, languageName } from '../labels'
import classes from '../mail.module.css'
import { pathParams, type Template, type TemplateKey, templatesQuery } from '../queries'

/** Mails the template as it is saved, with sample values. */
export function SendTestMail({
  opened,
  onClose,
  ...rest
}: {
  template: Template
  samples: Record<string, string>
  changed: boolean
  opened: boolean
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('admin.templates.test_title')}>
      <SendTestForm {...rest} />
    </Dialog>
  )
}

function SendTestForm({
  template,
  samples,
  changed,
}: {
  template: Template
  samples: Record<string, string>
  changed: boolean
}) {
  const { t } = useTranslation()
  const me = useMe()
  const [to, setTo] = useState(me.email)
  const once = useIdempotencyKey()
  const test = useMutation({
    mutationFn: (address: string) => {
      const given = Object.entries(samples).filter(([, value]) => value !== '')
      const body = { to: address, ...(given.length > 0 && { variables: Object.fromEntries(given) }) }
      return once({ ...body, id: template.id }, (headers) =>
        unwrap(api.POST('/api/v1/email-templates/{id}/send-test', { ...pathParams(template), body, headers })),
      )
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['outbox'] }),
  })
  const said = fieldProblems(t, test.error).to
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        test.mutate(to.trim() || me.email)
      }}
      noValidate
    >
      <Stack>
        {changed && <Text fz="sm">{t('admin.templates.test_saved')}</Text>}
        <TextInput
          label={t('admin.templates.test_to')}
          description={t('admin.templates.test_about')}
          type="email"
          maxLength={254}
          error={said}
          value={to}
          onChange={({ currentTarget }) => {
            setTo(currentTarget.value)
            if (said) test.reset()
          }}
        />
        <DialogActions>
          <Button type="submit" loading={test.isPending}>
            {t(test.data ? 'admin.templates.test_again' : 'admin.templates.test_now')}
          </Button>
        </DialogActions>
        <div role="status">
          {!test.isPending && test.data && (
            <Group wrap="nowrap" gap="sm" align="flex-start" className={classes.note}>
              {test.data.state === 'kept' ? (
                <Inbox size={18} aria-hidden="true" />
              ) : (
                <CircleCheck size={18} aria-hidden="true" />
              )}
              <Text fz="sm">
                {t(test.data.state === 'kept' ? 'admin.templates.test_kept' : 'admin.templates.test_queued', {
                  address: test.variables,
                })}{' '}
                <AnchorLink to="/admin/outbox" search={{ mail: test.data.mail_id }} inherit>
                  {t('admin.templates.test_look')}
                </AnchorLink>
              </Text>
            </Group>
          )}
        </div>
        {!test.isPending && test.error && !said && <ProblemAlert error={test.error} />}
      </Stack>
    </form>
  )
}

/** Confirms, and names the text sent afterwards. */
export function DeleteTemplate({
  template,
  keys,
  templates,
  opened,
  onClose,
  onDeleted,
}: {
  template: Template
  keys: TemplateKey[]
  templates: Template[]
  opened: boolean
  onClose: () => void
  onDeleted: () => void | Promise<void>
}) {
  const { t } = useTranslation()
  const { key, locale } = template
  const next = fallbackTemplate(templates, template)
  const language = languageName(t, locale) ?? locale
  const isMeydans = keys.some((known) => known.key === key)
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/email-templates/{id}', pathParams(template))),
    onSuccess: async () => {
      onClose()
      notifications.show({ message: t('admin.templates.deleted') })
      await onDeleted()
    },
    // The page of a deleted template must not refetch it.
    onSettled: () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey }),
  })
  const then = () => {
    if (next?.locale === DEFAULT) return t('admin.templates.after_delete_default')
    if (next)
      return t('admin.templates.after_delete_other_language', { language: languageName(t, next.locale) ?? next.locale })
    if (!isMeydans) return t('admin.templates.after_delete_none')
    if (locale === DEFAULT) return t('admin.templates.after_delete_built_in_each')
    return t('admin.templates.after_delete_built_in', { language: languageName(t, builtInLanguage(locale)) ?? '' })
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('admin.templates.delete_ask', { language })}
      confirm={t('ui.delete')}
      mutation={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text mb="xs">{then()}</Text>
      <Text c="dimmed" fz="sm">
        {t('admin.templates.delete_detail')}
      </Text>
    </ConfirmDialog>
  )
}
