import { ActionIcon, Group, Title } from '@mantine/core'
import { useFocusTrap, useMediaQuery, useMergedRef } from '@mantine/hooks'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { focusNearest, focusPath, isFocusLost } from '../../../ui/focus/focus'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import type { Wall } from '../../../ui/text/time-zone'
import classes from './ComposePanel.module.css'
import { EditPostForm } from './EditPostForm'
import { NewPostForm } from './NewPostForm'
import { usePostSeries } from './usePostSeries'

type Props = {
  /** `new`, or the id of the post. */
  compose: string
  at: Wall | undefined
  account: string | undefined
  /** Shows another post in the panel. */
  onChange: (compose: string) => Promise<void>
  onClose: () => void
  /** Leaves after saving. `isWaiting`: the post is a draft or is published later. */
  onEnd: (post: Post, isWaiting: boolean) => void
}

/**
 * The form of a post beside the calendar, which stays usable: a click on it chooses the time. On narrow screens the panel
 * covers the page.
 */
export function ComposePanel({ compose, at, account, onChange, onClose, onEnd }: Props) {
  const { t } = useTranslation()
  const title = useId()
  const coversPage = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const draft = compose === 'new' ? undefined : compose
  const series = usePostSeries({ draft, onDraft: (id) => onChange(id ?? 'new'), onEnd })
  const isNew = draft === undefined || draft === series.own
  const name = t(isNew ? 'compose.title' : 'edit.title')
  useDocumentTitle(name)
  const panel = useRef<HTMLElement>(null)
  const trap = useFocusTrap(coversPage)
  useFocusReturn(panel)
  const closeByKey = (event: KeyboardEvent) => {
    // Keys of dialogs and lists that the form opens bubble through here, too.
    const isInside = panel.current?.contains(event.target as Node)
    const isTaken = (event.target as Element).getAttribute('data-mantine-stop-propagation') === 'true'
    if (event.key === 'Escape' && isInside && !isTaken && !event.nativeEvent.isComposing) onClose()
  }
  return (
    <section
      ref={useMergedRef(panel, trap)}
      role="dialog"
      aria-modal={coversPage || undefined}
      aria-labelledby={title}
      className={classes.panel}
      onKeyDown={closeByKey}
    >
      <Group justify="space-between" className={classes.head}>
        <Title order={2} size="h3" id={title} tabIndex={-1}>
          {name}
        </Title>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('ui.close')} onClick={onClose}>
          <X size={20} />
        </ActionIcon>
      </Group>
      {isNew ? (
        <NewPostForm
          key={series.count}
          at={at}
          account={account}
          kept={series.kept}
          onDraft={series.showDraft}
          onSaved={series.leave}
        />
      ) : (
        <EditPostForm key={draft} id={draft} at={at} inPanel onSaved={series.leave} />
      )}
    </section>
  )
}

/** Gives the focus back to where it was before the panel was opened. */
function useFocusReturn(panel: { current: HTMLElement | null }) {
  // Before the form takes the focus.
  const [opener] = useState(() => focusPath(document.activeElement))
  useEffect(() => {
    if (!panel.current?.contains(document.activeElement)) panel.current?.querySelector('h2')?.focus()
    return () => {
      setTimeout(() => isFocusLost() && focusNearest(opener))
    }
  }, [panel, opener])
}
