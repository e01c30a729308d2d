import { Badge, Button, Card, Group, Select, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Inbox, Search, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { More } from '../../ui/More'
import { SearchField } from '../../ui/SearchField'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { instanceQuery, useMe } from '../auth/queries'
import classes from './mail.module.css'
import { MailStateBadge, OneMail } from './OneMail'
import { type Mail, outboxQuery } from './queries'
import { mailStates, type OutboxSearch, stateOf } from './search'
import { mailName } from './words'

const route = getRouteApi('/inside/shell/admin/outbox')

/** The mails that Meydan wrote, as their readers see them. */
export function OutboxPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.outbox'))
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const { search, state, mail: opened } = filters
  const outbox = useInfiniteQuery(outboxQuery({ ...(search && { search }), state }))
  const keepsMail = useQuery(instanceQuery).data?.sends_mail === false
  const filtered = Boolean(search || state)
  const filter = (changed: Partial<OutboxSearch>) =>
    void navigate({ search: { ...filters, ...changed }, replace: true, resetScroll: false })
  const clear = () => void navigate({ search: {}, replace: true, resetScroll: false })
  const show = (mail?: string) => void navigate({ search: { ...filters, mail }, resetScroll: false })
  const mails = outbox.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <PageHead title={t('rooms.outbox')} about={t(keepsMail ? 'desk.outbox.about_kept' : 'desk.outbox.about')} />
      {(filtered || mails.length > 0) && (
        <Group mb="md" gap="sm" role="search" aria-label={t('desk.outbox.filters')}>
          <SearchField
            label={t('desk.outbox.search')}
            value={search ?? ''}
            maxLength={100}
            onChange={(text) => filter({ search: text })}
          />
          <Select
            aria-label={t('desk.outbox.by_state')}
            placeholder={t('desk.outbox.any_state')}
            clearable
            w={{ base: '100%', xs: 200 }}
            data={mailStates.map((value) => ({ value, label: t(`desk.outbox.state.${value}`) }))}
            value={state ?? null}
            onChange={(name) => filter({ state: stateOf(name) })}
          />
          {filtered && (
            <Button variant="subtle" size="md" leftSection={<X size={16} />} onClick={clear}>
              {t('posts.clear')}
            </Button>
          )}
        </Group>
      )}
      {outbox.error && <Problem error={outbox.error} onRetry={() => outbox.refetch()} />}
      {outbox.isPending && <Waiting />}
      {outbox.data && mails.length === 0 && (
        <Card padding={0}>
          {filtered ? (
            <Empty
              icon={<Search size={26} />}
              title={t('desk.outbox.none_found')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('posts.clear')}
                </Button>
              }
            >
              {t('desk.outbox.none_found_detail')}
            </Empty>
          ) : (
            <Empty icon={<Inbox size={26} />} title={t('desk.outbox.none')}>
              {t('desk.outbox.none_detail')}
            </Empty>
          )}
        </Card>
      )}
      {mails.length > 0 && (
        <Card padding={0} aria-busy={outbox.isPlaceholderData}>
          <ul className={classes.list} aria-label={t('rooms.outbox')}>
            {mails.map((mail) => (
              <MailRow key={mail.id} mail={mail} onOpen={() => show(mail.id)} />
            ))}
          </ul>
        </Card>
      )}
      <More of={outbox} />
      <Dialog opened={opened !== undefined} onClose={() => show()} size="xl" title={t('desk.outbox.mail')}>
        {opened && <OneMail key={opened} id={opened} />}
      </Dialog>
    </>
  )
}

function MailRow({ mail, onOpen }: { mail: Mail; onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { subject, to_address, key, state, attempts, created_at } = mail
  return (
    <li>
      <UnstyledButton className={classes.mail} onClick={onOpen}>
        <div className={classes.subject}>
          <Text fw={600} truncate>
            {subject}
          </Text>
          <Text c="dimmed" fz="sm" truncate>
            {to_address} · {mailName(t, key)}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          {attempts > 1 && (
            <Badge variant="default" className="tabular">
              {t('desk.outbox.attempts', { count: attempts })}
            </Badge>
          )}
          <MailStateBadge state={state} />
        </Group>
        <Text c="dimmed" fz="sm" component="time" dateTime={created_at} title={format.full(created_at)}>
          {format.ago(created_at)}
        </Text>
      </UnstyledButton>
    </li>
  )
}
