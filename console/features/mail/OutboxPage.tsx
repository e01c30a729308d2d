import { Badge, Card, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import type { components } from '../../api.gen'
import { inEnglish } from '../../i18n'
import { styleNonce } from '../../nonce'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { More } from '../../ui/More'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { instanceQuery, useMe } from '../auth/queries'
import classes from './Outbox.module.css'
import { outboxQuery } from './queries'

type Mail = components['schemas']['Mail']

const route = getRouteApi('/inside/shell/admin/outbox')

const colors: Record<Mail['state'], string> = { kept: 'yellow', queued: 'blue', sent: 'iznik', failed: 'coral' }

/** The mails that Meydan wrote, as their readers see them. */
export function OutboxPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.outbox'))
  const format = useFormat(useMe().timezone)
  const outbox = useInfiniteQuery(outboxQuery)
  const instance = useQuery(instanceQuery).data
  const { mail: opened } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (mail?: string) => void navigate({ search: mail ? { mail } : {}, resetScroll: false })
  const mails = outbox.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <PageHead
        title={t('rooms.outbox')}
        about={instance?.sends_mail === false ? t('outbox.about_kept') : t('outbox.about')}
      />
      {outbox.error && <Problem error={outbox.error} onRetry={() => outbox.refetch()} />}
      {outbox.isPending && <Waiting />}
      {outbox.data && mails.length === 0 && (
        <Card padding={0}>
          <Empty icon={<Inbox size={26} />} title={t('outbox.none')}>
            {t('outbox.none_detail')}
          </Empty>
        </Card>
      )}
      {mails.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list}>
            {mails.map((mail) => (
              <li key={mail.id}>
                <UnstyledButton className={classes.mail} onClick={() => show(mail.id)}>
                  <div className={classes.subject}>
                    <Text fw={600} truncate>
                      {mail.subject}
                    </Text>
                    <Text c="dimmed" fz="sm" truncate>
                      {mail.to_address}
                    </Text>
                  </div>
                  <Badge variant="light" color={colors[mail.state]}>
                    {t(`outbox.state.${mail.state}`)}
                  </Badge>
                  <Text
                    c="dimmed"
                    fz="sm"
                    component="time"
                    dateTime={mail.created_at}
                    title={format.full(mail.created_at)}
                  >
                    {format.ago(mail.created_at)}
                  </Text>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <More of={outbox} />
      <Dialog opened={opened !== undefined} onClose={() => show()} size="lg" title={t('outbox.mail')}>
        {opened && <OneMail id={opened} />}
      </Dialog>
    </>
  )
}

function OneMail({ id }: { id: string }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const [form, setForm] = useState('html')
  const mail = useQuery({
    queryKey: ['outbox', id],
    queryFn: () => answered(api.GET('/api/v1/admin/outbox/{id}', { params: { path: { id } } })),
  })
  if (mail.error) return <Problem error={mail.error} onRetry={() => mail.refetch()} />
  if (!mail.data) return <Waiting lines={3} />
  const { subject, to_name, to_address, state, error, created_at, body_html, body_text } = mail.data
  return (
    <Stack>
      <div>
        <Text fw={650} fz="lg">
          {subject}
        </Text>
        <Text c="dimmed">
          {t('outbox.to')} {to_name} &lt;{to_address}&gt;
        </Text>
        <Text c="dimmed">{format.full(created_at)}</Text>
      </div>
      <Group justify="space-between">
        <Badge variant="light" color={colors[state]}>
          {t(`outbox.state.${state}`)}
        </Badge>
        <SegmentedControl
          size="sm"
          aria-label={t('outbox.shown_as')}
          value={form}
          onChange={setForm}
          data={[
            { value: 'html', label: t('outbox.html') },
            { value: 'text', label: t('outbox.text') },
          ]}
        />
      </Group>
      {error && (
        <Text c="var(--mantine-color-error)" lang={inEnglish()}>
          {error}
        </Text>
      )}
      {form === 'text' ? (
        <Text className={`text ${classes.plain}`}>{body_text}</Text>
      ) : (
        <HtmlMail title={subject} html={body_html} />
      )}
    </Stack>
  )
}

/** Without scripts, forms and an origin of its own; links open beside. The page's policy holds there, too. */
function HtmlMail({ title, html }: { title: string; html: string }) {
  const head = `<meta charset="utf-8"><meta name="color-scheme" content="light"><base target="_blank"><style nonce="${styleNonce()}">body{font:16px/1.6 system-ui,sans-serif;color:#1d262a;background:#fff;margin:20px;overflow-wrap:anywhere}a{color:#05656e}</style>`
  return (
    <iframe
      className={classes.frame}
      title={title}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      srcDoc={`<!doctype html><html><head>${head}</head><body>${html}</body></html>`}
    />
  )
}
