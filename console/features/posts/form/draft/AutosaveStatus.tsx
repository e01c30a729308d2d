import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemText } from '../../../../ui/feedback/ProblemAlert'
import classes from '../../posts.module.css'
import type { PostDraftMachine, PostDraftState } from './post-draft'

/** Shows whether a draft is saved. Screen readers announce it when they are idle. */
export function AutosaveStatus({ draft, state }: { draft: PostDraftMachine; state: PostDraftState }) {
  const { t } = useTranslation()
  const { phase, autosaved } = state
  const isDraft = draft.isDraft()
  const isSaving = isDraft && phase === 'saving'
  const failed = isDraft && !isSaving && typeof autosaved === 'object' ? autosaved : undefined
  return (
    <Text fz="sm" c={failed ? 'var(--mantine-color-error)' : 'dimmed'} className={classes.saving}>
      <span role="status">
        {isSaving && t('autosave.saving')}
        {isDraft && !isSaving && autosaved === 'saved' && !draft.isUnsaved() && t('autosave.saved')}
        {failed && (
          <>
            {t('autosave.failed')} <ProblemText error={failed.error} />
          </>
        )}
      </span>{' '}
      {failed && (
        <Anchor component="button" type="button" fz="sm" onClick={() => void draft.autosave()}>
          {t('autosave.again')}
        </Anchor>
      )}
    </Text>
  )
}
