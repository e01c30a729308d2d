import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../../api'
import type { components } from '../../../api.gen'
import { fieldProblems } from '../../../ui/feedback/problem'
import { previewQuery, type TemplateDraft } from '../queries'
import { translateProblem } from './form-values'

export type PreviewState = {
  preview: components['schemas']['EmailTemplatePreview'] | undefined
  /** Faults of the current draft, by field; the preview is of an earlier one. */
  faults: Record<string, string>
  /** Why there is no preview, unless the draft is the cause. */
  error: Error | null
}

const PAUSE_MS = 400

/** Previews a draft once typing pauses. The last preview stays until the next. */
export function useTemplatePreview(draft: TemplateDraft | undefined): PreviewState {
  const { t } = useTranslation()
  const [settled] = useDebouncedValue(draft && JSON.stringify(draft), PAUSE_MS)
  const asked = useMemo<TemplateDraft | undefined>(() => settled && JSON.parse(settled), [settled])
  const { data, error } = useQuery({
    ...previewQuery(asked ?? { key: '', locale: '', subject: '', body_html: '' }),
    enabled: asked !== undefined,
  })
  const [known, setKnown] = useState<{ preview: PreviewState['preview']; error: Error | null }>({
    preview: undefined,
    error: null,
  })
  useEffect(() => {
    if (data) setKnown({ preview: data, error: null })
    else if (error) setKnown(({ preview }) => ({ preview, error }))
  }, [data, error])
  if (asked === undefined) return { preview: undefined, faults: {}, error: null }
  const ofDraft = known.error instanceof ApiProblem && known.error.problem.errors !== undefined
  return {
    preview: known.preview,
    faults: ofDraft ? fieldProblems(t, translateProblem(t, known.error)) : {},
    error: ofDraft ? null : known.error,
  }
}
