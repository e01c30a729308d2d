import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import { Archive, ExternalLink, Image, ShieldAlert, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { useFormat } from '../../../ui/text/format'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../marketplace.module.css'
import { useArchiveGig, useDeleteGig, useSetGigStatus } from '../mutations'
import type { Gig } from '../queries'
import { GigStatusBadge } from './GigStatusBadge'

/** A gig in the list. `maySell`: whether it can be published. */
export function GigRow({ gig, maySell }: { gig: Gig; maySell: boolean }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const money = useMoney()
  const format = useFormat()
  const { id, title, price, currency, delivery_days, rating, rating_count, samples, taken_down_at, archived_at } = gig
  const image = samples[0]?.thumbnail_url
  return (
    <li className={classes.row} aria-label={title}>
      {image ? (
        <img className={classes.image} src={image} alt="" loading="lazy" />
      ) : (
        <span className={classes.image} aria-hidden="true">
          <Image size={26} />
        </span>
      )}
      <div>
        <div className={classes.head}>
          {archived_at ? (
            <span className={classes.title}>{title}</span>
          ) : (
            <Link
              to="/w/$workspace/marketplace/gigs/$gig/edit"
              params={{ workspace: slug, gig: id }}
              className={classes.title}
            >
              {title}
            </Link>
          )}
          <GigStatusBadge gig={gig} />
        </div>
        <Text fz="sm" mt={4}>
          {money(price, currency)} · {t('gigs.delivery', { count: delivery_days })}
        </Text>
        <Text fz="sm" c="dimmed">
          {rating === null
            ? t('gigs.no_rating')
            : t('gigs.rating', { rating: format.number(rating), count: rating_count })}
        </Text>
      </div>
      <GigActions gig={gig} maySell={maySell} />
      {taken_down_at && (
        <Alert color="coral" icon={<ShieldAlert size={18} />} className={classes.notice}>
          {t('gigs.taken_down', { reason: gig.take_down_reason ?? '' })}
        </Alert>
      )}
    </li>
  )
}

function GigActions({ gig, maySell }: { gig: Gig; maySell: boolean }) {
  const { t } = useTranslation()
  const { id, title, status, url, taken_down_at, archived_at } = gig
  const onError = useErrorNotification()
  const { gone, at } = useFocusAfterRemoval<HTMLSpanElement>()
  const setStatus = useSetGigStatus(id, (changed) =>
    notifications.show({
      message: t(changed.status === 'paused' ? 'gigs.paused_done' : 'gigs.published_done', { title }),
    }),
  )
  const archive = useArchiveGig(id, (changed) => {
    gone.current = true
    notifications.show({ message: t(changed.archived_at ? 'gigs.archived_done' : 'gigs.restored_done', { title }) })
  })
  const [deleting, dialog] = useDisclosure(false)
  const remove = useDeleteGig(id, () => {
    gone.current = true
    dialog.close()
    notifications.show({ message: t('gigs.deleted_done', { title }) })
  })
  const isPublished = status === 'published'
  return (
    <Group gap={4} className={classes.actions}>
      <span ref={at} hidden />
      {!archived_at && (isPublished || (maySell && !taken_down_at)) && (
        <Button
          size="compact-md"
          variant={isPublished ? 'default' : 'filled'}
          loading={setStatus.isPending}
          aria-label={t(isPublished ? 'gigs.pause_named' : 'gigs.publish_named', { title })}
          onClick={() => setStatus.mutate(isPublished ? 'paused' : 'published', { onError })}
        >
          {t(isPublished ? 'gigs.pause' : 'gigs.publish')}
        </Button>
      )}
      {isPublished && !taken_down_at && (
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          size="compact-md"
          variant="subtle"
          leftSection={<ExternalLink size={15} />}
          aria-label={t('gigs.view_named', { title })}
        >
          {t('gigs.view')}
        </Button>
      )}
      {archived_at ? (
        <Button
          size="compact-md"
          variant="default"
          loading={archive.isPending}
          aria-label={t('gigs.restore_named', { title })}
          onClick={() => archive.mutate(false, { onError })}
        >
          {t('gigs.restore')}
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          loading={archive.isPending}
          aria-label={t('gigs.archive_named', { title })}
          onClick={() => archive.mutate(true, { onError })}
        >
          <Archive size={17} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('gigs.delete_named', { title })}
        onClick={dialog.open}
      >
        <Trash2 size={17} />
      </ActionIcon>
      <ConfirmDialog
        opened={deleting}
        onClose={dialog.close}
        title={t('gigs.delete_ask', { title })}
        confirm={t('gigs.delete')}
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text>{t('gigs.delete_detail')}</Text>
      </ConfirmDialog>
    </Group>
  )
}
