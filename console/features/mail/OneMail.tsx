import { Alert, Anchor, Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Lock, RotateCw } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api, isStatus, queryClient } from '../../api'
import { inEnglish } from '../../i18n'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { Waiting } from '../../ui/Waiting'
import { instanceQuery, useMe } from '../auth/queries'
import { MailFrame } from './MailFrame'
import classes from './mail.module.css'
import { type Mail, mailQuery } from './queries'
import type { MailState } from './search'
import { failureKind, languageName, mailName } from './words'

const colors: Record<MailState, string> = { kept: 'yellow', queued: 'blue', sent: 'iznik', failed: 'coral' }

export function MailStateBadge({ state }: { state: MailState }) {
  const { t } = useTranslation()
  return (
    <Badge variant="light" color={colors[state]}>
      {t(`desk.outbox.state.${state}`)}
    </Badge>
  )
}

/** One mail: what became of it, and what it says. */
export function OneMail({ id }: { id: string }) {
  const { t } = useTranslation()
  const mail = useQuery(mailQuery(id))
  if (isStatus(mail.error, 404)) return <Text>{t('desk.outbox.gone')}</Text>
  if (mail.error && !mail.data) return <Problem error={mail.error} onRetry={() => mail.refetch()} />
  if (!mail.data) return <Waiting lines={3} />
  const { subject } = mail.data
  return (
    <Stack>
      <Text fw={650} fz="lg" className="text">
        {subject}
      </Text>
      <Facts mail={mail.data} />
      <Failure mail={mail.data} />
      <Retry mail={mail.data} />
      <Content mail={mail.data} />
    </Stack>
  )
}

function Facts({ mail }: { mail: Mail }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { to_name, to_address, key, locale, state, attempts, created_at, sent_at } = mail
  const language = languageName(t, locale)
  const facts = [
    [t('desk.outbox.to'), to_name ? `${to_name} <${to_address}>` : to_address],
    [t('desk.outbox.kind'), language ? `${mailName(t, key)} · ${language}` : mailName(t, key)],
    [t('desk.outbox.written'), format.exact(created_at)],
    ...(sent_at ? [[t('desk.outbox.sent'), format.exact(sent_at)] as const] : []),
    ...(attempts > 0 ? [[t('desk.outbox.tried'), t('desk.outbox.attempts', { count: attempts })] as const] : []),
  ] as const
  return (
    <dl className={classes.facts}>
      <dt>{t('desk.outbox.by_state')}</dt>
      <dd>
        <span role="status">
          <MailStateBadge state={state} />
        </span>
      </dd>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** Why it did not get through: in words, and as the mail server said it. */
function Failure({ mail }: { mail: Mail }) {
  const { t } = useTranslation()
  const { state, error } = mail
  const kind = failureKind(mail)
  if (!kind) return null
  const waits = state === 'queued'
  return (
    <Alert
      color={waits ? 'yellow' : 'coral'}
      icon={<CircleAlert size={20} />}
      title={t(`desk.outbox.failure.${kind}`)}
      role="status"
    >
      {waits && <Text fz="sm">{t('desk.outbox.tries_again')}</Text>}
      <Text fz="sm" className={`text ${classes.said}`} lang={inEnglish()}>
        {error}
      </Text>
    </Alert>
  )
}

function Retry({ mail: { id, state } }: { mail: Mail }) {
  const { t } = useTranslation()
  const sendsMail = useQuery(instanceQuery).data?.sends_mail
  const retry = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/admin/outbox/{id}/retry', { params: { path: { id } } })),
    onSuccess: (mail) => {
      queryClient.setQueryData(mailQuery(id).queryKey, mail)
      notifications.show({ message: t('desk.outbox.retried') })
    },
    onError: () => queryClient.invalidateQueries({ queryKey: mailQuery(id).queryKey }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['outbox'] }),
  })
  if (state !== 'failed' && state !== 'kept') return null
  if (sendsMail === false)
    return (
      <Text fz="sm" c="dimmed">
        {t('desk.outbox.no_server')}{' '}
        <Anchor inherit renderRoot={(props) => <Link to="/admin/options" {...props} />}>
          {t('rooms.options')}
        </Anchor>
      </Text>
    )
  return (
    <div>
      {retry.error && <Problem error={retry.error} />}
      <Button
        variant="default"
        leftSection={<RotateCw size={16} />}
        loading={retry.isPending}
        onClick={() => retry.mutate()}
      >
        {t(state === 'kept' ? 'desk.outbox.send_now' : 'desk.outbox.retry')}
      </Button>
    </div>
  )
}

function Content({ mail: { subject, body_html, body_text } }: { mail: Mail }) {
  const { t } = useTranslation()
  const [form, setForm] = useState('html')
  if (body_html === '' && body_text === '')
    return (
      <Group wrap="nowrap" gap="sm" align="flex-start" className={classes.note}>
        <Lock size={18} aria-hidden="true" />
        <Text fz="sm">{t('desk.outbox.blanked')}</Text>
      </Group>
    )
  return (
    <>
      <SegmentedControl
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        aria-label={t('desk.outbox.shown_as')}
        value={form}
        onChange={setForm}
        data={[
          { value: 'html', label: t('desk.outbox.html') },
          { value: 'text', label: t('desk.outbox.text') },
        ]}
      />
      {form === 'text' ? (
        <PlainMail text={body_text} />
      ) : (
        <div className={classes.paper}>
          <MailFrame title={subject} html={body_html} scheme="light" width={680} />
        </div>
      )}
    </>
  )
}

/** Addresses can be opened: where there is no mail server, this is how somebody comes by a link of theirs. */
export function PlainMail({ text }: { text: string }) {
  return (
    <div className={`text ${classes.plain}`}>
      {text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/).map((part, index) =>
        index % 2 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
          <Anchor key={index} href={part} target="_blank" rel="noreferrer" inherit>
            {part}
          </Anchor>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Fragment key={index}>{part}</Fragment>
        ),
      )}
    </div>
  )
}
