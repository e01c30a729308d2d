import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemText } from '../../../../ui/feedback/ProblemAlert'
import classes from '../../posts.module.css'
import type { usePostSaving } from './usePostSaving'

/** Shows whether a draft is saved. Screen readers announce it when they are idle. */
export function AutosaveStatus({ saving }: { saving: ReturnType<typeof usePostSaving> }) {
  const { t } = useTranslation()
  const { autosave, isDraft, isUnsaved } = saving
  return (
    <Text fz="sm" c={autosave.isError ? 'var(--mantine-color-error)' : 'dimmed'} className={classes.saving}>
      <span role="status">
        {isDraft && autosave.isPending && t('autosave.saving')}
        {isDraft && autosave.isSuccess && !isUnsaved() && t('autosave.saved')}
        {isDraft && autosave.isError && (
          <>
            {t('autosave.failed')} <ProblemText error={autosave.error} />
          </>
        )}
      </span>{' '}
      {isDraft && autosave.isError && (
        <Anchor component="button" type="button" fz="sm" onClick={() => saving.saveNow()}>
          {t('autosave.again')}
        </Anchor>
      )}
    </Text>
  )
}
