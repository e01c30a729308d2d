import { Button, Group } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type ConflictTexts, SaveProblemAlert } from './SaveProblemAlert'
import { UnsavedChangesGuard } from './UnsavedChangesGuard'
import type { RecordForm } from './useRecordForm'

type Props<Values extends Record<string, unknown>, Item> = {
  state: RecordForm<Values, Item>
  /** The label of the button that saves. */
  save: string
  /** Leaves the form. Without it, a button discards the changes. */
  cancel?: ReactNode
  conflict: ConflictTexts
}

/** The end of a record's form: why it was not saved, the buttons, and the question before changes are lost. */
export function RecordFormActions<Values extends Record<string, unknown>, Item>(props: Props<Values, Item>) {
  const { state, save, cancel, conflict } = props
  const { base, changed } = state
  const { t } = useTranslation()
  const submit = useRef<HTMLButtonElement>(null)
  return (
    <>
      <SaveProblemAlert
        problem={state.problem}
        conflict={conflict}
        onLoad={base && (() => state.reload(() => submit.current?.focus()))}
        loading={state.isReloading}
      />
      <Group justify="flex-end">
        {cancel ||
          (changed && (
            <Button variant="default" onClick={state.undo}>
              {t('settings.undo')}
            </Button>
          ))}
        <Button ref={submit} type="submit" loading={state.isSaving} disabled={base && !changed}>
          {save}
        </Button>
      </Group>
      <UnsavedChangesGuard when={() => state.isUnsaved} />
    </>
  )
}
