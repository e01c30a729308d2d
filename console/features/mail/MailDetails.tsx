import { Alert, Anchor, Badge, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert, ExternalLink, Lock, RotateCw } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, isStatus, queryClient, unwrap } from '../../api'
import { langOfEnglishText } from '../../i18n'
import { CopyButton } from '../../ui/copy/CopyButton'
import { useCopy } from '../../ui/copy/useCopy'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { useFormat } from '../../ui/text/format'
import { instanceQuery, useMe } from '../auth/queries'
import { failureKind, languageName, mailName } from './labels'
import { MailFrame } from './MailFrame'
import classes from './mail.module.css'
import { type Mail, mailQuery } from './queries'
import type { MailState } from './search-params'

const colors: Record<MailState, string> = { kept: 'yellow', queued: 'blue', sent: 'success', failed: 'coral' }

export function MailStateBadge({ state }: { state: MailState }) {
  const { t } = useTranslation()
  return (
    <Badge variant="light" color={colors[state]}>
      {t(`admin.outbox.state.${state}`)}
    </Badge>
  )
}

/** One mail: its delivery state and its contents. */
export function MailDetails({ id }: { id: string }) {
  const { t } = useTranslation()
  const mail = useQuery(mailQuery(id))
  if (isStatus(mail.error, 404)) return <Text>{t('admin.outbox.gone')}</Text>
  if (mail.error && !mail.data) return <ProblemAlert error={mail.error} onRetry={() => mail.refetch()} />
  if (!mail.data) return <LoadingSkeleton lines={3} />
  const { subject } = mail.data
  return (
    <Stack>
      <Text fw={650} fz="lg" className="text">
        {subject}
      </Text>
      <MailFacts mail={mail.data} />
      <MailFailure mail={mail.data} />
      <RetryMail mail={mail.data} />
      <MailContent mail={mail.data} />
    </Stack>
  )
}

function MailFacts({ mail }: { mail: Mail }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { to_name, to_address, key, locale, state, attempts, created_at, sent_at } = mail
  const language = languageName(t, locale)
  const facts = [
    [t('admin.outbox.to'), to_name ? `${to_name} <${to_address}>` : to_address],
    [t('admin.outbox.kind'), language ? `${mailName(t, key)} · ${language}` : mailName(t, key)],
    [t('admin.outbox.created'), format.exact(created_at)],
    ...(sent_at ? [[t('admin.outbox.sent'), format.exact(sent_at)] as const] : []),
    ...(attempts > 0
      ? [[t('admin.outbox.attempt_count'), t('admin.outbox.attempts', { count: attempts })] as const]
      : []),
  ] as const
  return (
    <dl className={classes.facts}>
      <dt>{t('admin.outbox.by_state')}</dt>
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

/** Why delivery failed, in plain words and in the mail server's. */
function MailFailure({ mail }: { mail: Mail }) {
  const { t } = useTranslation()
  const { state, error } = mail
  const kind = failureKind(mail)
  if (!kind) return null
  const waits = state === 'queued'
  return (
    <Alert
      color={waits ? 'yellow' : 'coral'}
      icon={<CircleAlert size={20} />}
      title={t(`admin.outbox.failure.${kind}`)}
      role="status"
    >
      {waits && <Text fz="sm">{t('admin.outbox.retries_automatically')}</Text>}
      <Text fz="sm" className={`text ${classes.message}`} lang={langOfEnglishText()}>
        {error}
      </Text>
    </Alert>
  )
}

function RetryMail({ mail: { id, state } }: { mail: Mail }) {
  const { t } = useTranslation()
  const sendsMail = useQuery(instanceQuery).data?.sends_mail
  const retry = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/outbox/{id}/retry', { params: { path: { id } } })),
    onSuccess: (mail) => {
      queryClient.setQueryData(mailQuery(id).queryKey, mail)
      notifications.show({ message: t('admin.outbox.retried') })
    },
    onError: () => queryClient.invalidateQueries({ queryKey: mailQuery(id).queryKey }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['outbox'] }),
  })
  if (state !== 'failed' && state !== 'kept') return null
  if (sendsMail === false)
    return (
      <Text fz="sm" c="dimmed">
        {t('admin.outbox.no_server')}{' '}
        <AnchorLink to="/admin/options" inherit>
          {t('pages.options')}
        </AnchorLink>
      </Text>
    )
  return (
    <div>
      {retry.error && <ProblemAlert error={retry.error} />}
      <Button
        variant="default"
        leftSection={<RotateCw size={16} />}
        loading={retry.isPending}
        onClick={() => retry.mutate()}
      >
        {t(state === 'kept' ? 'admin.outbox.send_now' : 'admin.outbox.retry')}
      </Button>
    </div>
  )
}

function MailContent({ mail: { subject, body_html, body_text } }: { mail: Mail }) {
  const { t } = useTranslation()
  const [form, setForm] = useState('html')
  if (body_html === '' && body_text === '')
    return (
      <Group wrap="nowrap" gap="sm" align="flex-start" className={classes.note}>
        <Lock size={18} aria-hidden="true" />
        <Text fz="sm">{t('admin.outbox.blanked')}</Text>
      </Group>
    )
  return (
    <>
      <MailLink text={body_text} />
      <SegmentedControl
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        aria-label={t('admin.outbox.view')}
        value={form}
        onChange={setForm}
        data={[
          { value: 'html', label: t('admin.outbox.html') },
          { value: 'text', label: t('admin.outbox.text') },
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

/** The link that the mail is about, to open or to hand over: the frame of the mail opens none. */
function MailLink({ text }: { text: string }) {
  const { t } = useTranslation()
  const link = /https?:\/\/\S+[?&]token=[\w-]+/.exec(text)?.[0]
  const copying = useCopy(link ?? '')
  if (link === undefined) return null
  return (
    <Group gap="sm">
      <Button component="a" href={link} target="_blank" rel="noreferrer" leftSection={<ExternalLink size={16} />}>
        {t('admin.outbox.open_link')}
      </Button>
      <CopyButton copying={copying} name={t('admin.outbox.link')} variant="default" />
      <Text role="status" fz="sm" c="dimmed">
        {copying.done === 'selected' && t('ui.selected')}
      </Text>
      {copying.done === 'selected' && (
        <Code block ref={copying.block} className="text">
          {link}
        </Code>
      )}
    </Group>
  )
}

/** Makes links clickable. Without a mail server, this is where admins get a user's links. */
export function PlainMail({ text }: { text: string }) {
  return (
    <div className={`text ${classes.plain}`}>
      {text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/).map((part, index) =>
        index % 2 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other key
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
