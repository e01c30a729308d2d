import { Button } from '@mantine/core'
import { CalendarClock, ClipboardCheck, FileText, ListOrdered, Plus, Send } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { focusAndShow } from '../../../ui/focus/focus'
import classes from '../posts.module.css'
import { AutosaveStatus } from './draft/AutosaveStatus'
import type { PostDraftMachine, PostDraftState } from './draft/post-draft'
import { ChosenTime } from './fields/ChosenTime'
import { PublishTimeFields } from './fields/PublishTimeFields'
import type { PostDestination } from './form-values'

const icons = { now: Send, queue: ListOrdered, later: CalendarClock, draft: FileText }

type Props = {
  draft: PostDraftMachine
  state: PostDraftState
  chosen: PostDestination[]
  timeError: string | undefined
  asksForApproval: boolean
  /** Whether saving changes a scheduled post. */
  isChange: boolean
  /** Replaces the button for another post. */
  cancel: ReactNode
  onSubmitAnother: () => void
}

/** The time of the post, and the buttons that save it. */
export function SubmitBar({ draft, state, chosen, timeError, asksForApproval, isChange, ...props }: Props) {
  const { t } = useTranslation()
  const element = useRef<HTMLDivElement>(null)
  const { values } = state
  const { when } = values
  const pending = state.phase === 'submitting'
  const { edit, beginUpload } = draft
  const SubmitIcon = asksForApproval ? ClipboardCheck : icons[when]
  return (
    <div ref={element} className={classes.bar}>
      <PublishTimeFields form={{ values, edit, beginUpload }} chosen={chosen} error={timeError} />
      <div className={classes.actions}>
        <AutosaveStatus draft={draft} state={state} />
        <ChosenTime
          draft={values}
          onClick={() => focusAndShow(element.current?.querySelector('[data-publish-time] :is(button, input:checked)'))}
        />
        {props.cancel ?? (
          <Button
            size="md"
            variant="default"
            disabled={pending}
            aria-label={t(`compose.another_${when}`)}
            onClick={props.onSubmitAnother}
          >
            <span className={classes.long}>{t(`compose.another_${when}`)}</span>
            <span className={classes.short}>
              <Plus size={17} aria-hidden="true" /> {t('compose.another_short')}
            </span>
          </Button>
        )}
        <Button type="submit" size="md" leftSection={<SubmitIcon size={18} />} loading={pending}>
          {t(
            asksForApproval
              ? 'compose.submit_approval'
              : isChange && when === 'later'
                ? 'compose.submit_change'
                : state.post?.is_idea && when === 'draft'
                  ? 'compose.submit_idea'
                  : `compose.submit_${when}`,
          )}
        </Button>
      </div>
    </div>
  )
}
