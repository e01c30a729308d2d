import { Alert, Button, Group } from '@mantine/core'
import { CalendarClock, CopyPlus, FileText, Play, Send, Tag, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import type { PostSummary } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { isFocusLost } from '../../../ui/focus/focus'
import { CopyDialog, useCopyTargets } from '../copies/CopyDialog'
import { usePermissions } from '../PostActions'
import classes from '../posts.module.css'
import { plannedTime } from '../queries'
import { LabelDialog, ShiftDialog } from './BulkDialogs'
import type { BulkActions } from './useBulkActions'

/** Selects all posts of a list, and offers actions on those that are selected. */
export function BulkBar({
  selectable,
  selected,
  onSelect,
  actions,
  labels,
}: {
  selectable: PostSummary[]
  selected: PostSummary[]
  onSelect: (posts: PostSummary[]) => void
  actions: BulkActions
  labels: string[]
}) {
  const { t } = useTranslation()
  const may = usePermissions()
  const all = useRef<HTMLInputElement>(null)
  const { progress, failures, moveOthers } = actions
  const [open, setOpen] = useState<'label' | 'shift' | 'release' | 'copy'>()
  const close = () => setOpen(undefined)
  const canCopyAway = useCopyTargets().length > 0
  const editable = selected.filter((post) => may(post).edit)
  const timed = editable.filter((post) => plannedTime(post) !== null)
  const held = editable.filter((post) => post.held)
  const stopped = editable.filter((post) => post.held === 'agents_stopped')
  const removable = selected.filter((post) => may(post).remove)
  const isSome = selected.length > 0 && selected.length < selectable.length
  useEffect(() => {
    if (all.current) all.current.indeterminate = isSome
  }, [isSome])
  const hadSelection = useRef(false)
  useEffect(() => {
    // The buttons disappear with the selection.
    if (hadSelection.current && selected.length === 0 && isFocusLost()) all.current?.focus()
    hadSelection.current = selected.length > 0
  }, [selected.length])
  return (
    <section aria-label={t('bulk.title')} className={classes.bulk}>
      <label className={classes.all}>
        <input
          ref={all}
          type="checkbox"
          checked={selected.length > 0 && !isSome}
          disabled={progress !== undefined}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked ? selectable : [])}
        />
        {t('bulk.select_all')}
      </label>
      <span role="status" className={classes.when}>
        {progress
          ? t('bulk.progress', progress)
          : selected.length > 0 && t('bulk.selected', { count: selected.length })}
      </span>
      {selected.length > 0 && (
        <Group gap="xs">
          {stopped.length > 0 && (
            <BulkButton icon={Play} busy={progress} posts={stopped} onClick={() => setOpen('release')}>
              {t('held.release')}
            </BulkButton>
          )}
          {held.length > 0 && (
            <>
              <BulkButton icon={Send} busy={progress} posts={held} onClick={() => void actions.publish(held)}>
                {t('posts.publish_now')}
              </BulkButton>
              <BulkButton icon={FileText} busy={progress} posts={held} onClick={() => void actions.unschedule(held)}>
                {t('held.draft')}
              </BulkButton>
            </>
          )}
          <BulkButton icon={Tag} busy={progress} posts={editable} onClick={() => setOpen('label')}>
            {t('bulk.label')}
          </BulkButton>
          <BulkButton icon={CalendarClock} busy={progress} posts={editable} onClick={() => setOpen('shift')}>
            {t('bulk.shift')}
          </BulkButton>
          {canCopyAway && (
            <BulkButton icon={CopyPlus} busy={progress} posts={selected} onClick={() => setOpen('copy')}>
              {t('copies.action_selected')}
            </BulkButton>
          )}
          <BulkButton icon={Trash2} busy={progress} posts={removable} onClick={() => void actions.remove(removable)}>
            {t('ui.delete')}
          </BulkButton>
        </Group>
      )}
      {failures.length > 0 && (
        <Alert
          color="coral"
          role="alert"
          withCloseButton
          closeButtonLabel={t('ui.close')}
          onClose={actions.dismiss}
          title={t('bulk.failed', { count: failures.length })}
          className={classes.failures}
        >
          <ul>
            {failures.map(({ post, message }) => (
              <li key={post.id}>
                <q dir="auto">{withMentionNames(post.excerpt).slice(0, 60) || t('posts.empty')}</q>: {message}
              </li>
            ))}
          </ul>
          {moveOthers && (
            <Button variant="default" size="xs" mt="sm" disabled={progress !== undefined} onClick={moveOthers.run}>
              {t('bulk.move_others', { count: moveOthers.count })}
            </Button>
          )}
        </Alert>
      )}
      <LabelDialog
        opened={open === 'label'}
        onClose={close}
        labels={labels}
        skipped={selected.length - editable.length}
        onSubmit={(label) => void actions.addLabel(editable, label)}
      />
      <CopyDialog posts={selected} opened={open === 'copy'} onClose={close} />
      <ConfirmDialog
        opened={open === 'release'}
        onClose={close}
        title={t('held.release_selected', { count: stopped.length })}
        confirm={t('held.release')}
        mutation={{ isPending: false, error: null, reset: () => undefined }}
        onConfirm={() => {
          close()
          void actions.release(stopped)
        }}
      >
        {t('held.release_detail')}
      </ConfirmDialog>
      <ShiftDialog
        opened={open === 'shift'}
        onClose={close}
        skipped={selected.length - timed.length}
        selected={selected.length}
        skippedInQueue={selected.length - editable.length}
        onSubmit={(shift) => void actions.reschedule('queue' in shift ? editable : timed, shift)}
      />
    </section>
  )
}

function BulkButton({
  icon: Icon,
  busy,
  posts,
  onClick,
  children,
}: {
  icon: typeof Tag
  busy: object | undefined
  posts: PostSummary[]
  onClick: () => void
  children: string
}) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon size={15} />}
      disabled={busy !== undefined || posts.length === 0}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
