import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, Inbox } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api, queryClient } from '../../api'
import { Confirm } from '../../ui/Confirm'
import { Dialog } from '../../ui/Dialog'
import { fieldProblems } from '../../ui/problem'
import { Problem } from '../../ui/screens'
import { useOnce } from '../../ui/useOnce'
import { useMe } from '../auth/queries'
import classes from './mail.module.css'
import { pathOf, type Template, type TemplateKey, templatesQuery } from './queries'
import { DEFAULT, languageName, nextText, ownLanguage } from './words'

/** Mails the template as it is saved, with sample values. */
export function SendTest({
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
    <Dialog opened={opened} onClose={onClose} title={t('desk.templates.test_title')}>
      <Sending {...rest} />
    </Dialog>
  )
}

function Sending({
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
  const once = useOnce()
  const test = useMutation({
    mutationFn: (address: string) => {
      const given = Object.entries(samples).filter(([, value]) => value !== '')
      const body = { to: address, ...(given.length > 0 && { variables: Object.fromEntries(given) }) }
      return once({ ...body, id: template.id }, (headers) =>
        answered(api.POST('/api/v1/email-templates/{id}/send-test', { ...pathOf(template), body, headers })),
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
        {changed && <Text fz="sm">{t('desk.templates.test_saved')}</Text>}
        <TextInput
          label={t('desk.templates.test_to')}
          description={t('desk.templates.test_about')}
          type="email"
          maxLength={254}
          error={said}
          value={to}
          onChange={({ currentTarget }) => {
            setTo(currentTarget.value)
            if (said) test.reset()
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={test.isPending}>
            {t(test.data ? 'desk.templates.test_again' : 'desk.templates.test_now')}
          </Button>
        </Group>
        <div role="status">
          {!test.isPending && test.data && (
            <Group wrap="nowrap" gap="sm" align="flex-start" className={classes.note}>
              {test.data.state === 'kept' ? (
                <Inbox size={18} aria-hidden="true" />
              ) : (
                <CircleCheck size={18} aria-hidden="true" />
              )}
              <Text fz="sm">
                {t(test.data.state === 'kept' ? 'desk.templates.test_kept' : 'desk.templates.test_queued', {
                  address: test.variables,
                })}{' '}
                <Anchor
                  inherit
                  renderRoot={(props) => <Link to="/admin/outbox" search={{ mail: test.data.mail_id }} {...props} />}
                >
                  {t('desk.templates.test_look')}
                </Anchor>
              </Text>
            </Group>
          )}
        </div>
        {!test.isPending && test.error && !said && <Problem error={test.error} />}
      </Stack>
    </form>
  )
}

/** Asks, and says which text is sent from then on. */
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
  const next = nextText(templates, template)
  const language = languageName(t, locale) ?? locale
  const isMeydans = keys.some((known) => known.key === key)
  const remove = useMutation({
    mutationFn: () => answered(api.DELETE('/api/v1/email-templates/{id}', pathOf(template))),
    onSuccess: async () => {
      onClose()
      notifications.show({ message: t('desk.templates.deleted') })
      await onDeleted()
    },
    // The page of one that is gone does not ask for it again.
    onSettled: () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey }),
  })
  const then = () => {
    if (next?.locale === DEFAULT) return t('desk.templates.then_default')
    if (next) return t('desk.templates.then_other', { language: languageName(t, next.locale) ?? next.locale })
    if (!isMeydans) return t('desk.templates.then_none')
    if (locale === DEFAULT) return t('desk.templates.then_own_each')
    return t('desk.templates.then_own', { language: languageName(t, ownLanguage(locale)) ?? '' })
  }
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('desk.templates.delete_ask', { language })}
      confirm={t('ui.delete')}
      act={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text mb="xs">{then()}</Text>
      <Text c="dimmed" fz="sm">
        {t('desk.templates.delete_detail')}
      </Text>
    </Confirm>
  )
}
